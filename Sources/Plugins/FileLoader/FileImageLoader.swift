public import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Loads files: URLs with the scheme `file`.
///
/// Files are read in pieces on a lane of the loader's own, so that a slow disk holds up no task. What is no regular
/// file is refused: a directory has no picture, and a device or a pipe might never end.
public final class FileImageLoader: ImageLoader {
    /// So many bytes are read at once.
    static let chunkSize = 256 << 10

    private let lane = Lane(name: "ct-file", width: 4)

    /// A loader of files.
    public init() {}

    public func canLoad(_ request: LoadRequest) -> Bool {
        request.url.isFileURL
    }

    @concurrent
    public func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
        let path = request.url.path(percentEncoded: false)
        guard let host = request.url.host(), !host.isEmpty, host != "localhost" else {
            return try await load(path, into: sink)
        }
        throw ImageError(
            .accessDenied, stage: .load, message: "is on the host '\(host)', not on this machine",
            advice: "write file:/// with three slashes")
    }

    private func load(_ path: String, into sink: any ByteSink) async throws -> LoadOutcome {
        let file = try await lane.run { try OpenFile(path) }
        try await sink.begin(
            LoadHead(
                expectedByteCount: file.byteCount,
                validators: Validators(lastModified: file.modificationTime)))
        var offset = 0
        while offset < file.byteCount {
            let start = offset
            let chunk = try await lane.run { try file.read(at: start, count: Self.chunkSize) }
            guard !chunk.isEmpty else { break }
            offset += chunk.count
            try await sink.write(chunk)
        }
        try await lane.run { try file.checkUnchanged() }
        return .complete
    }
}
