import CalotypeStandard

/// Lanczos3 resampling on one thread, compared with libvips and Pillow.
enum Resizing {
    private struct Change {
        let kind: ResizingKind
        let source: PixelSize
        let target: PixelSize

        /// The row's id, which is its name in budgets.json.
        var id: String { "\(source)-\(target)" + (kind == .opaque ? "" : "-\(kind.rawValue)") }

        var title: String { "resize\(kind == .opaque ? "" : " \(kind.rawValue)"), \(source) to \(target)" }
    }

    private static let changes = [
        Change(kind: .opaque, source: PixelSize(4000, 3000), target: PixelSize(400, 300)),
        Change(kind: .opaque, source: PixelSize(1920, 1080), target: PixelSize(640, 360)),
        Change(kind: .opaque, source: PixelSize(640, 360), target: PixelSize(1920, 1080)),
        Change(kind: .alpha, source: PixelSize(1920, 1080), target: PixelSize(640, 360)),
        Change(kind: .deep, source: PixelSize(1920, 1080), target: PixelSize(640, 360)),
        Change(kind: .linear, source: PixelSize(4000, 3000), target: PixelSize(400, 300)),
    ]

    /// The largest allowed distance between the results, as the mean difference of colors in 8-bit levels. The peers
    /// round differently, and libvips averages before it filters. A wrong or displaced picture differs by more than
    /// ten.
    private static let largestDifference = 3.0

    static func benchmarks(_ peers: Peers) -> [Benchmark] {
        changes.flatMap { change in
            Peers.Name.resizers.filter { $0 != .pillow || change.kind.isInPillow }.map { peer in
                Benchmark(
                    id: "resize/\(change.id)/\(peer.rawValue)", title: "\(change.title) / \(peer.title)"
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
        let pixels = try change.kind.pixels(size: change.source)
        try check(pixels, change, peer, worker)
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats {
                    guard try resized(pixels, change).size == change.target else {
                        throw BenchmarkError("the picture has the wrong size")
                    }
                }
            },
            peer: Contender.keepingTime { repeats in
                try worker.resize(peer, to: change.target, repeats: repeats)
            })
    }

    private static func resized(_ pixels: PixelBuffer, _ change: Change) throws -> PixelBuffer {
        try pixels.resampled(to: change.target, resampling: change.kind.resampling)
    }

    /// Passes the pixels to the peer, and checks that both results match.
    private static func check(
        _ pixels: PixelBuffer, _ change: Change, _ peer: Peers.Name, _ worker: PeerWorker
    ) throws {
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        let source = TemporaryDirectory.path("source", in: directory)
        try pixels.tightBytes.write(to: URL(filePath: source))
        try worker.take(change.kind, change.source, at: source)
        let target = TemporaryDirectory.path("target", in: directory)
        try worker.show(peer, to: change.target, at: target)
        let theirs = try Data(contentsOf: URL(filePath: target))
        let ours = try resized(pixels, change).tightBytes
        let difference = try PixelDifference.mean(levels(ours, change), levels(theirs, change))
        guard difference <= largestDifference else {
            throw BenchmarkError(
                "\(peer.title) produced another picture, \(Table.decimal(difference, digits: 2)) levels from ours")
        }
    }

    /// Returns 8-bit values; of 16-bit values the upper bytes.
    private static func levels(_ bytes: Data, _ change: Change) -> Data {
        guard change.kind == .deep else { return bytes }
        return bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Data in
            Data(bytes.bindMemory(to: UInt16.self).map { UInt8($0 >> 8) })
        }
    }
}
