#if JPEG && PNG
import CalotypeStandard

/// The closeness of the library's thumbnail of a file to the exact one, and that of a peer's, in decibels.
struct ThumbnailCloseness {
    /// The allowed deficit of the library's thumbnail, which is imperceptible.
    private static let tolerance = 0.05

    let ours: Double
    let theirs: Double

    /// Compares with the thumbnail that the peer makes of the file, which becomes the worker's source.
    init(_ file: Data, _ thumbnail: Image, beside peer: Peers.Name, of worker: PeerWorker) async throws {
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        let path = TemporaryDirectory.path("source", in: directory)
        try file.write(to: URL(filePath: path))
        try worker.take(fileAt: path)
        let target = TemporaryDirectory.path("target", in: directory)
        try worker.look(peer, at: thumbnail.size, writingTo: target)
        let whole = try await ImageManager(plugins: [.standard]).decode(file)
        let exact = ExactThumbnail(of: whole.pixels, size: thumbnail.size)
        ours = try exact.closeness(of: thumbnail.pixels.bytesOnBlack)
        theirs = try exact.closeness(of: try Data(contentsOf: URL(filePath: target)))
    }

    /// Whether the library's thumbnail is as close as the peer's.
    var isEnough: Bool { ours >= theirs - Self.tolerance }

    /// Both values, for people.
    var text: String {
        "\(Table.decimal(ours, digits: 1)) dB from the exact one, theirs \(Table.decimal(theirs, digits: 1))."
    }
}
#endif
