import Calotype
import CalotypeFile
import CalotypeTesting
import Foundation
import Testing

/// Files that a server's clients request.
@Suite(.timeLimit(.minutes(5)))
struct ServerFilesTests {
    private let directory: TemporaryDirectory
    /// A text, a picture, a directory and a missing file.
    private let names = ["secret.txt", "picture.raw", ".", "missing.raw"]

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write(Data("password".utf8), "secret.txt")
        try directory.write(RawImageCoder.file(width: 4, height: 3), "picture.raw")
    }

    private func manager(_ context: ImageContext = []) -> ImageManager {
        let manager = ImageManager(
            plugins: [.file], context: ImageContext.server.merging([.off(.imageCache)]).merging(context))
        manager.registry.coders.add(RawImageCoder())
        return manager
    }

    /// Returns the errors of loading all names.
    private func errors(_ manager: ImageManager) async throws -> [ImageError] {
        var errors: [ImageError] = []
        for name in names {
            let url = URL(filePath: directory.path(name), directoryHint: .notDirectory)
            errors.append(try #require(await failure { try await manager.image(for: url) } as? ImageError))
        }
        return errors
    }

    @Test func `no file is loaded, and the error is the same whether it exists or not`() async throws {
        let errors = try await errors(manager())
        #expect(Set(errors.map(\.code)) == [.schemeRefused])
        #expect(Set(errors.map(\.message)).count == 1)
    }

    @Test func `without directories, files are refused whether they exist or not`() async throws {
        let errors = try await errors(manager([.allowedSchemes(["file"])]))
        #expect(Set(errors.map(\.code)) == [.accessDenied])
        #expect(Set(errors.map(\.message)).count == 1)
        #expect(errors.allSatisfy { $0.advice?.contains("allowedDirectories") == true })
    }

    @Test func `files elsewhere are refused whether they exist or not`() async throws {
        try FileManager.default.createDirectory(
            atPath: directory.path("in"), withIntermediateDirectories: true)
        let errors = try await errors(
            manager([.allowedSchemes(["file"]), .allowedDirectories([directory.path("in")])]))
        #expect(Set(errors.map(\.code)) == [.accessDenied])
        #expect(Set(errors.map(\.message)).count == 1)
    }

    @Test func `nothing reveals whether a file elsewhere exists or was changed`() async throws {
        try FileManager.default.createDirectory(atPath: directory.path("in"), withIntermediateDirectories: true)
        let manager = manager([.allowedSchemes(["file"]), .allowedDirectories([directory.path("in")])])
        let path = directory.path("picture.raw")
        func told() async throws -> [String] {
            let request = ImageRequest(path: path)
            let explanation = try await manager.explain(request)
            return [
                try await manager.cacheKey(for: request).policy, explanation.variant.policy,
                explanation.transferDigest,
            ]
        }
        let first = try await told()
        try directory.write(Data("changed".utf8), "picture.raw")
        #expect(try await told() == first)
        try FileManager.default.removeItem(atPath: path)
        #expect(try await told() == first)
    }

    @Test func `files of an allowed directory are loaded, and no error quotes them`() async throws {
        let manager = manager([.allowedSchemes(["file"]), .allowedDirectories([directory.root])])
        #expect(try await manager.image(for: ImageRequest(path: directory.path("picture.raw"))).width == 4)
        let request = ImageRequest(path: directory.path("secret.txt"))
        let error = try #require(await failure { try await manager.image(for: request) } as? ImageError)
        #expect(error.code == .unknownFormat)
        for quote in ["pass", "70 61 73", "706173"] { #expect(!error.description.contains(quote)) }
    }
}
