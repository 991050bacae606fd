import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeFile

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Access control by `allowedDirectories`: a directory `in` that is allowed, and others that are not.
@Suite(.timeLimit(.minutes(5)))
struct AllowedDirectoriesTests {
    private let directory: TemporaryDirectory
    private let inside = Data("inside".utf8)
    private let outside = Data("outside".utf8)

    init() throws {
        directory = try TemporaryDirectory()
        for name in ["in", "in/deep", "in/deep/er", "out", "into", "in.d"] {
            try FileManager.default.createDirectory(atPath: directory.path(name), withIntermediateDirectories: true)
        }
        for name in ["in/a", "in/deep/er/a", "in/ "] { try directory.write(inside, name) }
        for name in ["out/a", "into/a", "in.d/a", "a"] { try directory.write(outside, name) }
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: directory.path(name), withDestinationPath: target)
    }

    /// Loads a file with `directories`, or the directory `in`, as the allowed ones.
    private func outcome(
        of name: String, allowing directories: DirectoryList? = nil
    ) async -> Result<Data, ImageError> {
        let sink = CollectingSink()
        do {
            let allowed = directories ?? [directory.path("in")]
            _ = try await load(directory.path(name), [.allowedDirectories(allowed)], into: sink)
            return .success(sink.data)
        } catch {
            return .failure(error as? ImageError ?? ImageError(.loadFailed, stage: .load, message: "\(error)"))
        }
    }

    private func code(of name: String, allowing directories: DirectoryList? = nil) async -> ImageError.Code? {
        if case .failure(let error) = await outcome(of: name, allowing: directories) { return error.code }
        return nil
    }

    @Test(arguments: ["in/a", "in/deep/er/a", "in/deep/../a", "in/./a", "out/../in/a", "in//a", "in/ "])
    func `a file in an allowed directory is loaded`(name: String) async throws {
        let data = try await outcome(of: name).get()
        #expect(data == inside)
    }

    @Test(arguments: ["out/a", "in/../out/a", "in/deep/../../a", "a", "into/a", "in.d/a"])
    func `a file elsewhere is refused`(name: String) async {
        #expect(await code(of: name) == .accessDenied)
    }

    @Test func `the error names the requested path and says what to do`() async throws {
        try link("in/link", to: "../out/a")
        let manager = ImageManager(
            plugins: [.file], context: [.off(.imageCache), .allowedDirectories([directory.path("in")])])
        let path = directory.path("in/link")
        let error = await failure { try await manager.image(for: ImageRequest(path: path)) } as? ImageError
        #expect(error?.code == .accessDenied)
        #expect(error?.subject == path)
        #expect(error?.message == "is outside the allowed directories")
        #expect(error?.advice?.contains("`allowedDirectories`") == true)
        #expect(error?.description.contains("out/a") == false)
    }

    @Test func `links are judged by their targets`() async throws {
        try link("in/good", to: "deep/er/a")
        try link("in/bad", to: "../out/a")
        try link("in/absolute", to: directory.path("out/a"))
        try link("in/directory", to: "../out")
        try link("in/twice", to: "directory/a")
        try link("out/back", to: "../in/a")
        #expect(await code(of: "in/good") == nil)
        #expect(await code(of: "in/bad") == .accessDenied)
        #expect(await code(of: "in/absolute") == .accessDenied)
        #expect(await code(of: "in/directory/a") == .accessDenied)
        #expect(await code(of: "in/twice") == .accessDenied)
        #expect(await code(of: "out/back") == nil)
        #expect(await code(of: "in/directory/../in/a") == nil, "the path is resolved as the system does")
    }

    @Test func `an allowed directory may be given through a link`() async throws {
        try link("door", to: "in")
        let door: DirectoryList = [directory.path("door")]
        #expect(await code(of: "in/a", allowing: door) == nil)
        #expect(await code(of: "door/deep/er/a", allowing: door) == nil)
        #expect(await code(of: "door/a") == nil)
        #expect(await code(of: "out/a", allowing: door) == .accessDenied)
    }

    @Test func `a list may have several directories, the root or a file`() async {
        let both: DirectoryList = [directory.path("out"), directory.path("in/deep")]
        #expect(await code(of: "out/a", allowing: both) == nil)
        #expect(await code(of: "in/deep/er/a", allowing: both) == nil)
        #expect(await code(of: "in/a", allowing: both) == .accessDenied)
        #expect(await code(of: "out/a", allowing: ["/"]) == nil)
        #expect(await code(of: "out/a", allowing: [directory.path("out/a")]) == nil)
        #expect(await code(of: "out/a", allowing: [directory.path("in/../out")]) == nil)
    }

    @Test func `an empty list or a missing directory allows nothing`() async {
        #expect(await code(of: "in/a", allowing: []) == .accessDenied)
        #expect(await code(of: "in/a", allowing: [directory.path("nowhere")]) == .accessDenied)
        #expect(await code(of: "in/a", allowing: ["\(directory.path("in"))\0"]) == .accessDenied)
    }

    @Test func `paths elsewhere are refused alike, whether they exist or not`() async throws {
        try #require(mkfifo(directory.path("out/pipe"), 0o600) == 0)
        try link("out/loop", to: "loop")
        let elsewhere = [
            "out/a", "out/missing", "out/missing/too", "out/a/inside", "out", "out/pipe", "out/loop", "nowhere/a",
        ]
        for name in elsewhere {
            #expect(await code(of: name) == .accessDenied, "\(name)")
        }
        for name in ["in/missing", "in/missing/../../out/a", "in/a/inside"] {
            #expect(await code(of: name) == .notFound, "\(name)")
        }
        #expect(await code(of: "in") == .loadFailed)
    }

    @Test func `an overlong path is an error`() async {
        let long = "in/" + String(repeating: "x/", count: 100_000)
        #expect(await code(of: long) == .accessDenied)
    }

    @Test func `an open file stays the same when links are swapped`() async throws {
        try link("in/link", to: "a")
        let (path, target) = (directory.path("in/link"), directory.path("out/a"))
        let sink = CollectingSink(onHead: { _ in
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        })
        _ = try await load(path, [.allowedDirectories([directory.path("in")])], into: sink)
        #expect(sink.data == inside)
        #expect(await code(of: "in/link") == .accessDenied)
    }

    @Test func `constantly swapped links lead nowhere else`() async throws {
        try link("in/link", to: "a")
        let swaps = Lock(0)
        let swapper = Task.detached { [directory] in
            let (path, spare) = (directory.path("in/link"), directory.path("in/spare"))
            while !Task.isCancelled {
                for target in ["../out/a", "a"] {
                    symlink(target, spare)
                    rename(spare, path)
                }
                swaps.withLock { $0 += 1 }
                await Task.yield()
            }
        }
        var (loaded, refused) = (0, 0)
        while loaded + refused < 200 || swaps.withLock({ $0 }) < 200 {
            switch await outcome(of: "in/link") {
            case .success(let data):
                #expect(data == inside)
                loaded += 1
            case .failure(let error):
                #expect(error.code == .accessDenied)
                refused += 1
            }
        }
        swapper.cancel()
        await swapper.value
    }

    @Test func `a strict request does not get an image that a lax one stored`() async throws {
        let path = try directory.write(RawImageCoder.file(width: 3, height: 2), "out/picture.raw")
        let cache = TieredCache(disk: InMemoryDataCache())
        let manager = ImageManager(plugins: [.file], context: [.imageCache(cache), .waitStoreCache])
        manager.registry.coders.add(RawImageCoder())
        _ = try await manager.image(for: ImageRequest(path: path))
        let strict = ImageRequest(path: path, context: [.allowedDirectories([directory.path("in")])])
        #expect(manager.cachedResponse(for: strict) == nil)
        let error = await failure { try await manager.image(for: strict) } as? ImageError
        #expect(error?.code == .accessDenied)
        let allowed = ImageRequest(path: path, context: [.allowedDirectories([directory.path("out")])])
        #expect(try await manager.response(for: allowed).source == .loader)
        #expect(try await manager.response(for: allowed).source == .memory)
        #expect(try await manager.response(for: ImageRequest(path: path)).source == .memory)
    }

    #if os(Linux)
    @Test func `a file elsewhere is never opened`() async throws {
        // Given a lease, which reveals an attempt to open the file, and a harmless signal for it
        let (setSignal, setLease, getLease): (Int32, Int32, Int32) = (10, 1024, 1025)
        let descriptor = open(directory.path("out/a"), O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try #require(fcntl(descriptor, setSignal, SIGURG) == 0)
        guard fcntl(descriptor, setLease, Int32(F_WRLCK)) == 0 else {
            // Some file systems do not support leases.
            let reason = errno
            #expect([EINVAL, EOPNOTSUPP, ENOLCK].contains(reason), "errno \(reason)")
            return
        }
        // When the file is refused
        #expect(await code(of: "out/a") == .accessDenied)
        // Then it has not been opened
        #expect(fcntl(descriptor, getLease, 0) == Int32(F_WRLCK))
        _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
        #expect(await code(of: "out/a", allowing: [directory.path("out")]) == nil)
    }

    @Test func `a refused file is not left open`() async throws {
        #expect(await code(of: "out/a") == .accessDenied)
        try await waitUntil("no file is open") { directory.openDescriptorCount == 0 }
    }
    #endif
}
