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

/// Files that are mapped into memory instead of read.
@Suite(.timeLimit(.minutes(5)))
struct MappedFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(arguments: [1 << 20, (1 << 20) + 1, 2_500_000])
    func `a mapped file has the same bytes, in one piece`(count: Int) async throws {
        let path = try directory.write(bytes(count), "bytes")
        let (mapped, read) = (CollectingSink(), CollectingSink())
        let outcome = try await load(path, [.mapsFiles], into: mapped)
        _ = try await load(path, into: read)
        #expect(outcome.isComplete)
        #expect(mapped.heads.map(\.expectedByteCount) == [count])
        #expect(mapped.chunks.map(\.count) == [count])
        let isEqual = mapped.data == read.data
        #expect(isEqual)
    }

    @Test func `a mapped file gives the same picture`() async throws {
        let path = try directory.write(RawImageCoder.file(width: 520, height: 520), "picture.raw")
        let manager = ImageManager(plugins: [.file], context: [.off(.imageCache)])
        manager.registry.coders.add(RawImageCoder())
        let read = try await manager.response(for: ImageRequest(path: path))
        let mapped = try await manager.response(for: ImageRequest(path: path, context: [.mapsFiles]))
        let isEqual = read.data == mapped.data
        #expect(isEqual)
        #expect(mapped.image.size == PixelSize(520, 520))
        #expect(mapped.image.pixels.color(x: 519, y: 519) == read.image.pixels.color(x: 519, y: 519))
    }

    @Test func `the key is set by name`() throws {
        let manager = ImageManager(plugins: [.file])
        let setting = try manager.registry.setting(named: "mapsFiles", text: "on")
        #expect(ImageContext([setting])[.mapsFiles] == true)
        #expect(ContextKey<Bool>.mapsFiles.defaultValue == false)
    }

    @Test func `a file over the limit is refused, mapped or not`() async throws {
        let path = try directory.write(RawImageCoder.file(width: 520, height: 520), "picture.raw")
        let manager = ImageManager(plugins: [.file], context: [.off(.imageCache), .mapsFiles])
        manager.registry.coders.add(RawImageCoder())
        let request = ImageRequest(path: path, context: [.maxInputBytes(1 << 20)])
        let error = await failure { try await manager.image(for: request) } as? ImageError
        #expect(error?.code == .limitExceeded)
    }

    @Test func `mapped bytes can be changed without changing the file`() throws {
        let path = try directory.write(bytes(1 << 20), "bytes")
        var mapped = try #require(try OpenFile(path).mapped())
        let before = mapped[5]
        mapped[5] = ~before
        let after = mapped[5]
        #expect(after == ~before)
        let isUnchanged = try Data(contentsOf: URL(filePath: path)) == bytes(1 << 20)
        #expect(isUnchanged)
    }

    @Test func `a file that changes while it is mapped is an error`() async throws {
        let path = try directory.write(bytes(2_500_000), "bytes")
        let sink = CollectingSink(onChunk: { _ in
            let date = Date(timeIntervalSince1970: 1_000_000_000)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        })
        let error = await failure { try await load(path, [.mapsFiles], into: sink) } as? ImageError
        #expect(error?.code == .loadFailed)
        #expect(error?.message == "changed while it was read")
    }

    @Test func `a file replaced while it is mapped stays the same`() async throws {
        let data = bytes(2_500_000)
        let path = try directory.write(data, "bytes")
        let other = try directory.write(Data(count: 10), "other")
        let sink = CollectingSink(onChunk: { _ in rename(other, path) })
        let outcome = try await load(path, [.mapsFiles], into: sink)
        #expect(outcome.isComplete)
        let isEqual = sink.data == data
        #expect(isEqual)
    }

    #if os(Linux)
    @Test func `a mapping lasts as long as its bytes, without the file being open`() async throws {
        let path = try directory.write(bytes(2_500_000), "bytes")
        let short = try directory.write(bytes(1000), "short")
        func hold() async throws {
            let sink = CollectingSink()
            _ = try await load(path, [.mapsFiles], into: sink)
            try await waitUntil("no file is open") { directory.openDescriptorCount == 0 }
            #expect(directory.mappingCount == 1)
            let isEqual = sink.data == bytes(2_500_000)
            #expect(isEqual)
        }
        try await hold()
        // The thread that mapped the file may still be unmapping it.
        try await waitUntil("nothing is mapped") { directory.mappingCount == 0 }

        let sink = CollectingSink()
        _ = try await load(short, [.mapsFiles], into: sink)
        #expect(directory.mappingCount == 0, "a short file is read, not mapped")
        #expect(sink.chunks.count == 1)
    }
    #endif
}
