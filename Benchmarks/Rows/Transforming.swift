import CalotypeStandard

/// Transformers on one thread, compared with OpenCV, libvips and Pillow.
enum Transforming {
    /// The operations. Raw values are the worker's names.
    private enum Operation: String, CaseIterable {
        case blur2 = "blur-2"
        case blur10 = "blur-10"
        case blur50 = "blur-50"
        case quarterTurn = "rotate-90"
        case turn = "rotate-7"
        case matrix = "matrix"
        case sharpen = "sharpen"
        case round = "round"
        case overlay = "overlay"
        case smartCrop = "smart-crop"

        var title: String {
            switch self {
            case .blur2: "blur, sigma 2"
            case .blur10: "blur, sigma 10"
            case .blur50: "blur, sigma 50"
            case .quarterTurn: "rotation by 90 degrees"
            case .turn: "rotation by 7 degrees"
            case .matrix: "color matrix"
            case .sharpen: "sharpening"
            case .round: "rounded corners"
            case .overlay: "overlay"
            case .smartCrop: "smart crop"
            }
        }

        /// The peers with the same operation.
        var peers: [Peers.Name] {
            switch self {
            case .blur2, .blur10, .blur50, .quarterTurn, .matrix: [.opencv, .vips, .pillow]
            // The canvas of libvips has another size.
            case .turn: [.opencv, .pillow]
            case .sharpen: [.opencv, .pillow]
            case .round: [.pillow]
            case .overlay: [.vips, .pillow]
            case .smartCrop: [.vips]
            }
        }

        /// The kind of the picture.
        var kind: ResizingKind { self == .overlay ? .alpha : .opaque }

        /// Whether the results of the peers can be compared. Each looks for other things in a picture to crop it.
        var isComparable: Bool { self != .smartCrop }

        /// Returns the transformed picture.
        func applied(to image: Image) throws -> PixelBuffer {
            let step: any Transformer
            switch self {
            case .blur2: step = .blur(sigma: 2)
            case .blur10: step = .blur(sigma: 10)
            case .blur50: step = .blur(sigma: 50)
            case .quarterTurn: step = .rotate(degrees: 90)
            case .turn: step = .rotate(degrees: 7)
            case .matrix: step = .sepia()
            case .sharpen: step = .sharpen(amount: 1, sigma: 2)
            case .round: step = .roundedCorners(radius: 100)
            case .overlay:
                // The picture over itself.
                var canvas = try PixelBufferBuilder(copying: image.pixels)
                try canvas.draw(image.pixels)
                return canvas.finish()
            case .smartCrop: step = .crop(to: .size(PixelSize(600, 600)), anchor: .attention)
            }
            return try step.transform(image, context: TransformContext()).pixels
        }
    }

    private static let size = PixelSize(1920, 1080)
    /// The largest allowed distance between the results, as the mean difference of colors in 8-bit levels.
    private static let largestDifference = 2.0

    static func benchmarks(_ peers: Peers) -> [Benchmark] {
        Operation.allCases.flatMap { operation in
            operation.peers.map { peer in
                Benchmark(
                    id: "transform/\(operation.rawValue)/\(peer.rawValue)",
                    title: "\(operation.title), 1920x1080 / \(peer.title)"
                ) {
                    try prepare(operation, peer, peers)
                }
            }
        }
    }

    private static func prepare(_ operation: Operation, _ peer: Peers.Name, _ peers: Peers) throws -> Contest {
        let worker: PeerWorker
        do {
            worker = try peers.worker(with: peer)
        } catch {
            return .unavailable(.peerMissing, because: "\(error)")
        }
        let image = Image(pixels: try operation.kind.pixels(size: size))
        let note = try check(image, operation, peer, worker)
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats {
                    guard try !operation.applied(to: image).size.isEmpty else {
                        throw BenchmarkError("the picture has no pixels")
                    }
                }
            },
            peer: Contender.keepingTime { repeats in
                try worker.transform(peer, operation.rawValue, repeats: repeats)
            }, note: note)
    }

    /// Passes the pixels to the peer, and checks that both results match. Returns a note on the difference.
    private static func check(
        _ image: Image, _ operation: Operation, _ peer: Peers.Name, _ worker: PeerWorker
    ) throws -> String? {
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        let source = TemporaryDirectory.path("source", in: directory)
        try image.pixels.tightBytes.write(to: URL(filePath: source))
        try worker.take(operation.kind, size, at: source)
        guard operation.isComparable else { return nil }
        let target = TemporaryDirectory.path("target", in: directory)
        try worker.show(peer, operation.rawValue, at: target)
        let difference = try PixelDifference.mean(
            operation.applied(to: image).tightBytes, Data(contentsOf: URL(filePath: target)))
        guard difference <= largestDifference else {
            throw BenchmarkError(
                "\(peer.title) produced another picture, \(Table.decimal(difference, digits: 2)) levels from ours")
        }
        return "\(Table.decimal(difference, digits: 2)) levels apart on average"
    }
}
