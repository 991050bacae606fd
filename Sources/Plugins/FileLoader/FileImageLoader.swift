public import Calotype

/// A loader for files: URLs with the scheme `file`.
///
/// Files of less than 8 MiB are read on the loader's own ``Lane``, a group of threads, so that a slow disk delays only
/// other files. Files of up to 1 MiB are read in a single piece, and longer files in pieces of 1 MiB. Each piece is
/// read only after the previous one was consumed, so that an image can be refused by its header before the rest of the
/// file is read.
///
/// Files of 8 MiB and more are delivered as a ``ByteSource``, unless they are mapped or 64 such sources exist already.
/// The decoder can then read the file itself, so that the whole file is never in memory. It does so if the coder reads
/// in pieces, no previews are requested, and the bytes are needed only for decoding.
///
/// With `mapsFiles`, files of at least 1 MiB are mapped into memory. With `allowedDirectories`, files whose real
/// location is outside these directories are refused. If `allowedSchemes` is set, `allowedDirectories` must be set too,
/// or every file is refused.
///
/// The version of a file consists of its inode number, length and times, and is part of the cache key. An edited or
/// replaced file is therefore loaded again, even if its old image is in memory. Originals are not copied to the disk
/// cache unless `storesFiles` is set. Images made from them are stored as usual.
///
/// Only regular files are accepted, because a device or a pipe might never end. Symbolic links are followed. Reading a
/// file that has changed since it was opened causes an error, because the bytes could mix two images.
public final class FileImageLoader: ImageLoader {
    /// The maximum length of a piece that is read, in bytes. Files shorter than this are never mapped into memory,
    /// because reading them is faster.
    static let pieceSize = 1 << 20
    /// The minimum length, in bytes, of files that are delivered as a ``ByteSource``. Reading a shorter file into
    /// memory costs less than keeping it open.
    static let sourceSize = 8 << 20

    private let lane = Lane(name: "ct-file", width: 4)
    /// The number of existing ``FileSource`` instances, each of which keeps a file open.
    private let sourceCount = Lock(0)

    /// Creates a loader for files.
    public init() {}

    public func canLoad(_ request: LoadRequest) -> Bool {
        request.url.isFileURL
    }

    public func version(of request: LoadRequest, mayWait: Bool) -> SourceVersion {
        guard let path = try? Self.path(of: request) else { return .unversioned }
        if let directories = request.context[.allowedDirectories] {
            // Determining the real location of a file needs disk access.
            guard mayWait else { return .unknown }
            guard (try? directories.check(RealPath(nearestTo: path))) != nil else { return .unversioned }
        }
        return .file(at: path, mayWait: mayWait)
    }

    /// Returns the path of the requested file. Throws `accessDenied` if the URL names another host, or if
    /// `allowedSchemes` is set without `allowedDirectories`.
    private static func path(of request: LoadRequest) throws(ImageError) -> String {
        if let host = request.url.host(), !host.isEmpty, host != "localhost" {
            throw ImageError(
                .accessDenied, stage: .load, message: "is on the host '\(host)', not on this machine",
                advice: "use a URL that begins with file:///, with three slashes")
        }
        // A manager that limits schemes handles untrusted requests and must name the readable directories.
        guard request.context[.allowedDirectories] != nil || request.context[.allowedSchemes] == nil else {
            throw ImageError(
                .accessDenied, stage: .load, message: "is a file, but no directory is allowed",
                advice: "set the context value `allowedDirectories` in addition to `allowedSchemes`")
        }
        return request.url.path(percentEncoded: false)
    }

    @concurrent
    public func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
        let path = try Self.path(of: request)
        let directories = request.context[.allowedDirectories]
        let file = try await lane.run(priority: request.priority) { try OpenFile(path, in: directories) }
        try await sink.begin(
            LoadHead(
                expectedByteCount: file.byteCount, validators: Validators(lastModified: file.modificationTime),
                isAtHand: !request.context[.storesFiles]))
        if request.context[.mapsFiles], file.byteCount >= Self.pieceSize {
            let bytes = try await lane.run(priority: request.priority) { try file.mapped() }
            if let bytes {
                try await sink.write(bytes)
                try await lane.run(priority: request.priority) { try file.checkUnchanged() }
                return .complete
            }
        }
        if file.byteCount >= Self.sourceSize, let source = FileSource(file, among: sourceCount) {
            try await sink.take(source)
            return .complete
        }
        for start in stride(from: 0, to: file.byteCount, by: Self.pieceSize) {
            let piece = try await lane.run(priority: request.priority) {
                try file.read(at: start, count: Self.pieceSize)
            }
            try await sink.write(piece)
        }
        return .complete
    }
}
