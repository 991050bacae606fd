#if JPEG && PNG
import CalotypeStandard

/// How close our thumbnail of a file comes to the exact one, and how close a peer's does, in decibels.
struct ThumbnailCloseness {
    /// How much further ours may be; it is less than can be told apart.
    private static let tolerance = 0.05

    let ours: Double
    let theirs: Double

    /// Has the peer make the thumbnail of the file, which is the worker's source from then on.
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

    /// Whether ours is as close as theirs.
    var isEnough: Bool { ours >= theirs - Self.tolerance }

    /// Both, for people.
    var text: String {
        "\(Table.decimal(ours, digits: 1)) dB from the exact one, theirs \(Table.decimal(theirs, digits: 1))."
    }
}
#endif
