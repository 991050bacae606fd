public import Calotype

/// Loads files: URLs with the scheme `file`.
///
/// Files are read on a lane of the loader's own, so that a slow disk holds up no task: shorter ones at once, longer
/// ones in pieces, each when the one before it has been taken, so that a picture can be refused by its header before
/// the rest is read. Files of 8 MiB and more are handed over as a ``ByteSource``: where only a decoder wants their
/// bytes, and its coder reads in pieces, it reads them itself as it goes, and they are never in memory as a whole. With
/// `mapsFiles` on, longer ones are mapped into memory. With `allowedDirectories` set, files that really lie elsewhere
/// are refused. Where `allowedSchemes` is set, so must `allowedDirectories` be, or every file is refused.
///
/// The version of a file, by its inode, length and times, is part of what caches know it by: a file that is edited or
/// replaced is loaded again, also in place of its picture in memory. Originals are not copied to disk unless
/// `storesFiles` says so; what is made of them is kept there as ever.
///
/// What is no regular file is refused: a directory has no picture, and a device or a pipe might never end. Symbolic
/// links are followed. A file that is seen to change while it is read, or before it is decoded, is an error: half of
/// one picture and half of another is none.
public final class FileImageLoader: ImageLoader {
    /// The most bytes read at once. Shorter files are never mapped: it would cost more than reading them.
    static let pieceSize = 1 << 20
    /// Files from so many bytes on are handed over as a source. What is shorter is in memory sooner than it is worth
    /// keeping a file open.
    static let sourceSize = 8 << 20

    private let lane = Lane(name: "ct-file", width: 4)
    /// The number of files, handed over as sources, that are still open.
    private let sourceCount = Lock(0)

    /// A loader of files.
    public init() {}

    public func canLoad(_ request: LoadRequest) -> Bool {
        request.url.isFileURL
    }

    public func version(of request: LoadRequest, mayWait: Bool) -> SourceVersion {
        guard let path = try? Self.path(of: request) else { return .unversioned }
        if let directories = request.context[.allowedDirectories] {
            // Where a file really lies is found out by asking the disk.
            guard mayWait else { return .unknown }
            guard (try? directories.check(RealPath(nearestTo: path))) != nil else { return .unversioned }
        }
        return .file(at: path, mayWait: mayWait)
    }

    /// The path of the file that is asked for. Throws `accessDenied` where it is not to be looked at.
    private static func path(of request: LoadRequest) throws(ImageError) -> String {
        if let host = request.url.host(), !host.isEmpty, host != "localhost" {
            throw ImageError(
                .accessDenied, stage: .load, message: "is on the host '\(host)', not on this machine",
                advice: "write file:/// with three slashes")
        }
        // A manager that limits schemes serves strangers, and has to say which files they may read.
        guard request.context[.allowedDirectories] != nil || request.context[.allowedSchemes] == nil else {
            throw ImageError(
                .accessDenied, stage: .load, message: "is a file, and no directory is allowed to be loaded from",
                advice: "set the context value `allowedDirectories` beside `allowedSchemes`")
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
