import CalotypeStandard

/// Lanczos3 of opaque RGBA at 8 bits on one thread, beside libvips and Pillow.
enum Resizing {
    private struct Change {
        let source: PixelSize
        let target: PixelSize
    }

    private static let changes = [
        Change(source: PixelSize(4000, 3000), target: PixelSize(400, 300)),
        Change(source: PixelSize(1920, 1080), target: PixelSize(640, 360)),
        Change(source: PixelSize(640, 360), target: PixelSize(1920, 1080)),
    ]

    /// How far the results may be apart, as the mean of the differences of colours. The peers round differently, and
    /// libvips averages before it filters; another picture, or one that lies elsewhere, is more than ten apart.
    private static let largestDifference = 3.0

    static func benchmarks(_ peers: Peers) -> [Benchmark] {
        changes.flatMap { change in
            Peers.Name.resizers.map { peer in
                Benchmark(
                    id: "resize/\(change.source)-\(change.target)/\(peer.rawValue)",
                    title: "resize, \(change.source) to \(change.target) / \(peer.title)"
                ) {
                    try prepare(change, peer, peers)
                }
            }
        }
    }

    private static func prepare(_ change: Change, _ peer: Peers.Name, _ peers: Peers) throws -> Contest {
        let worker: PeerWorker
        do {
            worker = try peers.worker(with: peer)
        } catch {
            return .unavailable(.peerMissing, because: "\(error)")
        }
        let pixels = try DrawnPicture.pixels(size: change.source, isOpaque: true)
        try check(pixels, change, peer, worker)
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats {
                    guard try pixels.resampled(to: change.target).size == change.target else {
                        throw BenchmarkError("the picture has another size")
                    }
                }
            },
            peer: Contender.keepingTime { repeats in
                try worker.resize(peer, from: change.source, to: change.target, repeats: repeats)
            })
    }

    /// Hands the pixels to the peer, and sees to it that both make the same of them.
    private static func check(
        _ pixels: PixelBuffer, _ change: Change, _ peer: Peers.Name, _ worker: PeerWorker
    ) throws {
        let folder = try TemporaryFolder.make()
        defer { TemporaryFolder.remove(folder) }
        let source = TemporaryFolder.path("source", in: folder)
        try pixels.tightBytes.write(to: URL(filePath: source))
        try worker.take(change.source, at: source)
        let target = TemporaryFolder.path("target", in: folder)
        try worker.show(peer, from: change.source, to: change.target, at: target)
        let theirs = try Data(contentsOf: URL(filePath: target))
        let ours = try pixels.resampled(to: change.target).tightBytes
        let difference = try PixelDifference.mean(ours, theirs)
        guard difference <= largestDifference else {
            throw BenchmarkError(
                "\(peer.title) makes another picture, \(Table.decimal(difference, digits: 2)) levels from ours")
        }
    }
}
