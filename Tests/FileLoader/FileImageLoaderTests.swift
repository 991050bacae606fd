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

@Suite(.timeLimit(.minutes(5)))
struct FileImageLoaderTests {
    private let directory: TemporaryDirectory
    private let manager: ImageManager
    private let picture = RawImageCoder.file(width: 40, height: 30)

    init() throws {
        directory = try TemporaryDirectory()
        manager = ImageManager(plugins: [.file], context: [.off(.imageCache)])
        manager.registry.coders.add(RawImageCoder())
    }

    /// Returns the error for a refused path; nil if the file is loaded.
    private func refusal(at path: String, _ context: ImageContext = []) async -> ImageError? {
        await refusal(of: ImageRequest(path: path, context: context))
    }

    private func refusal(of request: ImageRequest) async -> ImageError? {
        do {
            _ = try await manager.image(for: request)
            return nil
        } catch {
            return error
        }
    }

    // MARK: Loading

    @Test func `a file is loaded by its path and by its URL`() async throws {
        let path = try directory.write(picture, "picture.raw")
        let response = try await manager.response(for: ImageRequest(path: path))
        #expect(response.source == .loader)
        #expect(response.image.size == PixelSize(40, 30))
        #expect(response.data == picture)
        let image = try await manager.image(for: URL(filePath: path))
        #expect(image.size == PixelSize(40, 30))
    }

    @Test(arguments: [
        "with space.raw", "100%.raw", "%41%2Fb.raw", "a%20b.raw", "a#b.raw", "a?b=c&d.raw", "a+b;c,d@e.raw", "a:b.raw",
        "[1]{2}^|.raw", "back\\slash.raw", "quote'\".raw", "~.raw", ".hidden", "no extension",
        "na\u{EF}ve \u{2013} \u{65E5}\u{672C} \u{1F600}.raw", "line\nfeed.raw",
    ])
    func `a file may have any name`(name: String) async throws {
        let path = try directory.write(picture, name)
        // The paths that a wrongly parsed name would lead to.
        for other in ["a", "a b.raw", "100"] where other != name { try directory.write(Data("no picture".utf8), other) }
        let image = try await manager.image(for: ImageRequest(path: path))
        #expect(image.size == PixelSize(40, 30))
    }

    @Test func `a relative path starts from the working directory`() async throws {
        let path = try directory.write(picture, "picture.raw")
        let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
        let steps = ["."] + Array(repeating: "..", count: depth)
        let image = try await manager.image(for: ImageRequest(path: steps.joined(separator: "/") + path))
        #expect(image.size == PixelSize(40, 30))
    }

    @Test func `a symbolic link is followed`() async throws {
        try directory.write(picture, "picture.raw")
        let link = directory.path("link.raw")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "picture.raw")
        let image = try await manager.image(for: ImageRequest(path: link))
        #expect(image.size == PixelSize(40, 30))
    }

    @Test func `the URL may name localhost`() async throws {
        let path = try directory.write(picture, "picture.raw")
        for host in ["", "localhost"] {
            let image = try await manager.image(for: "file://\(host)\(path)")
            #expect(image.size == PixelSize(40, 30))
        }
    }

    @Test func `the loader accepts only file URLs`() throws {
        let loader = FileImageLoader()
        for (text, isTaken) in [("file:///a.png", true), ("https://host/a.png", false), ("fake://host/a", false)] {
            let url = try #require(URL(string: text))
            #expect(loader.canLoad(LoadRequest(url: url)) == isTaken, "\(text)")
        }
    }

    // MARK: Refusals

    @Test func `a missing file is an error that says so`() async throws {
        try directory.write(picture, "picture.raw")
        let link = directory.path("dangling")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
        let paths = [
            directory.path("missing.raw"), directory.path("no/such/directory.raw"),
            directory.path("picture.raw/inside.raw"), link,
        ]
        for path in paths {
            let error = await refusal(at: path)
            #expect(error?.code == .notFound, "\(path)")
            #expect(error?.component == "FileImageLoader")
            #expect(error?.description == "\(path): does not exist; check the path")
        }
    }

    @Test func `a directory is refused`() async throws {
        for path in [directory.root, directory.root + "/"] {
            let error = await refusal(at: path)
            #expect(error?.code == .loadFailed)
            #expect(error?.message == "is a directory")
            #expect(error?.advice == "use the path of a file in it")
        }
    }

    @Test func `a pipe without a writer is refused at once`() async throws {
        let path = directory.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let error = await refusal(at: path)
        #expect(error?.code == .loadFailed)
        #expect(error?.message == "is not a regular file")
    }

    @Test func `an endless device is refused`() async throws {
        let error = await refusal(at: "/dev/zero")
        #expect(error?.code == .loadFailed)
        #expect(error?.message == "is not a regular file")
    }

    @Test func `links in a circle are an error`() async throws {
        let (one, other) = (directory.path("one"), directory.path("other"))
        try FileManager.default.createSymbolicLink(atPath: one, withDestinationPath: "other")
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "one")
        let error = await refusal(at: one)
        #expect(error?.code == .loadFailed)
        #expect(error?.message == "leads to itself, or through too many symbolic links")
        #expect(error?.advice == "correct the symbolic link")
    }

    @Test func `a file on another host is refused`() async {
        let error = await refusal(of: ImageRequest("file://host/picture.raw"))
        #expect(error?.code == .accessDenied)
        #expect(error?.message == "is on the host 'host', not on this machine")
        #expect(error?.advice == "use a URL that begins with file:///, with three slashes")
    }

    @Test func `a path is not truncated at a null byte`() async throws {
        let path = try directory.write(picture, "picture.raw")
        let error = await refusal(of: ImageRequest("file://\(path)%00.png"))
        #expect(error != nil)
    }

    @Test func `an empty file is an error that says so`() async throws {
        let path = try directory.write(Data(), "empty.raw")
        let error = await refusal(at: path)
        #expect(error?.code == .badData)
        #expect(error?.message == "is empty")
        #expect(error?.subject == path)
    }

    @Test func `a file over the limit is refused before it is read`() async throws {
        let path = try directory.write(picture, "picture.raw")
        let error = await refusal(at: path, [.maxInputBytes(picture.count - 1)])
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("announces \(picture.count)") == true)
        let image = try await manager.image(for: ImageRequest(path: path, context: [.maxInputBytes(picture.count)]))
        #expect(image.size == PixelSize(40, 30))

        // So large that reading it would be noticed. The file is sparse.
        let huge = try directory.write(Data(), "huge.raw")
        try #require(truncate(huge, 1 << 34) == 0)
        let hugeError = await refusal(at: huge)
        #expect(hugeError?.code == .limitExceeded)

        struct Refusal: Error {}
        let sink = CollectingSink(onHead: { _ in throw Refusal() })
        let thrown = await failure { try await load(huge, into: sink) }
        #expect(thrown is Refusal)
        #expect(sink.chunks.isEmpty)
    }

    // MARK: Reading

    @Test(arguments: [1, 1000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 2 << 20, 2_500_000])
    func `the bytes arrive in order, in chunks, after their count`(count: Int) async throws {
        let data = bytes(count)
        let path = try directory.write(data, "bytes")
        let sink = CollectingSink()
        let outcome = try await load(path, into: sink)
        #expect(outcome.isComplete)
        let isEqual = sink.data == data
        #expect(isEqual)
        #expect(sink.heads.map(\.expectedByteCount) == [count])
        #expect(sink.heads.map(\.offset) == [0])
        #expect(sink.chunks.dropLast().allSatisfy { $0.count == 1 << 20 })
        #expect(sink.chunks.last.map { (1...1 << 20).contains($0.count) } == true)
    }

    @Test func `the modification date distinguishes versions of a file`() async throws {
        let path = try directory.write(picture, "picture.raw")
        func lastModified() async throws -> String? {
            let sink = CollectingSink()
            _ = try await load(path, into: sink)
            return sink.heads.first?.validators?.lastModified
        }
        let first = try await lastModified()
        let second = try await lastModified()
        #expect(first != nil)
        #expect(first == second)
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        let third = try await lastModified()
        #expect(third != first)
        #expect(third?.hasPrefix("1000000000.") == true)
    }

    @Test(arguments: [0, 1_500_000, 3_500_000])
    func `a file that changes its length while it is read is an error`(newCount: Int) async throws {
        let path = try directory.write(bytes(2_500_000), "bytes")
        let sink = CollectingSink(onChunk: { count in
            if count == 1 { truncate(path, off_t(newCount)) }
        })
        let error = await failure { try await load(path, into: sink) } as? ImageError
        #expect(error?.code == .loadFailed)
        #expect(error?.message == "changed while it was read")
    }

    @Test func `a file that is written over while it is read is an error`() async throws {
        let path = try directory.write(bytes(2_500_000), "bytes")
        let sink = CollectingSink(onChunk: { count in
            guard count == 1 else { return }
            let date = Date(timeIntervalSince1970: 1_000_000_000)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        })
        let error = await failure { try await load(path, into: sink) } as? ImageError
        #expect(error?.message == "changed while it was read")
    }

    @Test func `a file that is replaced while it is read is read to its end`() async throws {
        let data = bytes(2_500_000)
        let path = try directory.write(data, "bytes")
        let other = try directory.write(Data(count: 10), "other")
        let sink = CollectingSink(onChunk: { count in
            if count == 1 { rename(other, path) }
        })
        let outcome = try await load(path, into: sink)
        #expect(outcome.isComplete)
        let isEqual = sink.data == data
        #expect(isEqual)
    }

    @Test func `an empty file is read without a chunk`() async throws {
        let path = try directory.write(Data(), "empty")
        for context: ImageContext in [[], [.mapsFiles]] {
            let sink = CollectingSink()
            let outcome = try await load(path, context, into: sink)
            #expect(outcome.isComplete)
            #expect(sink.heads.map(\.expectedByteCount) == [0])
            #expect(sink.chunks.isEmpty)
        }
    }

    @Test func `reading stops when the sink refuses more`() async throws {
        struct Refusal: Error {}
        let path = try directory.write(bytes(2_500_000), "bytes")
        let sink = CollectingSink(onChunk: { _ in throw Refusal() })
        let error = await failure { try await load(path, into: sink) }
        #expect(error is Refusal)
        #expect(sink.chunks.count == 1)
    }

    @Test func `reading stops when the task is cancelled`() async throws {
        let path = try directory.write(bytes(2_500_000), "bytes")
        let sink = CollectingSink(onChunk: { _ in
            withUnsafeCurrentTask { (task: UnsafeCurrentTask?) -> Void in task?.cancel() }
        })
        let task = Task { try await FileImageLoader().load(LoadRequest(url: URL(filePath: path)), into: sink) }
        let error = await failure { try await task.value }
        #expect(error is CancellationError)
        #expect(sink.chunks.count == 1)
    }

    @Test func `many files at once are all loaded`() async throws {
        let requests = try (1...40).map { side in
            ImageRequest(path: try directory.write(RawImageCoder.file(width: side, height: 2), "\(side).raw"))
        }
        let tasks = requests.map { manager.load($0) }
        for (index, task) in tasks.enumerated() {
            let image = try await task.response.image
            #expect(image.width == index + 1)
        }
    }

    #if os(Linux)
    @Test func `no file is left open, whatever the outcome of its load`() async throws {
        struct Refusal: Error {}
        let path = try directory.write(bytes(2_500_000), "bytes")
        let pipe = directory.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)

        let sawOpen = Lock(0)
        let watching = CollectingSink(onChunk: { [directory] _ in
            sawOpen.withLock { $0 = max($0, directory.openDescriptorCount) }
        })
        _ = try await load(path, into: watching)
        let mostOpen = sawOpen.withLock { $0 }
        #expect(mostOpen == 1, "one file is open during the read")

        _ = await failure { try await load(path, into: CollectingSink(onHead: { _ in throw Refusal() })) }
        _ = await failure { try await load(path, into: CollectingSink(onChunk: { _ in throw Refusal() })) }
        _ = await failure {
            try await load(path, into: CollectingSink(onChunk: { _ in truncate(path, 1_500_000) }))
        }
        _ = await failure { try await load(pipe, into: CollectingSink()) }
        _ = await failure { try await load(directory.root, into: CollectingSink()) }
        _ = await failure { try await load(directory.path("missing"), into: CollectingSink()) }
        // The last reading thread may still be closing the file.
        try await waitUntil("no file is open") { directory.openDescriptorCount == 0 }
    }
    #endif
}
