#if GIF
import CalotypeStandard

/// Pictures of more colors than a GIF has: how similar those are that remain, in files of the same size, beside Pillow
/// and gifsicle, and how long it takes.
enum GIFQuantizing {
    private enum Peer: String, CaseIterable {
        case pillow
        case gifsicle

        var title: String { self == .pillow ? "Pillow" : rawValue }
        /// The number of colors that it is told. gifsicle reads GIFs, which have no more than 256.
        var colors: Int { self == .pillow ? 256 : 64 }
    }

    private static let size = PixelSize(640, 480)

    static func benchmarks(_ peers: Peers) -> [Benchmark] {
        let similarities = Peer.allCases.flatMap { peer in
            [false, true].map { isDithered in
                Benchmark(
                    id: "gif/similarity\(isDithered ? "-dithered" : "")/\(peer.rawValue)",
                    title: "GIF of \(peer.colors) colors\(isDithered ? ", dithered" : "") / \(peer.title)"
                ) {
                    try await similarity(beside: peer, isDithered: isDithered, peers)
                }
            }
        }
        return similarities + [
            Benchmark(id: "gif/encode-still/pillow", title: "GIF encode, \(size) to 256 colors / Pillow") {
                try await time(peers)
            }
        ]
    }

    private static func manager(colors: Int, isDithered: Bool) -> ImageManager {
        var options = GIFOptions()
        options.colors = colors
        options.dithering = isDithered ? .diffusion : .none
        return ImageManager(plugins: [.standard], context: [.off(.imageCache), .gifOptions(options)])
    }

    /// What the similarity lacks of 1, as a part of what the peer's lacks.
    private static func similarity(beside peer: Peer, isDithered: Bool, _ peers: Peers) async throws -> Contest {
        let folder = try TemporaryFolder.make()
        defer { TemporaryFolder.remove(folder) }
        let (source, target) = (
            TemporaryFolder.path("source", in: folder), TemporaryFolder.path("target.gif", in: folder)
        )
        let drawn = try DrawnPicture.pixels(size: size, isOpaque: true)
        let given: PixelBuffer
        switch peer {
        case .pillow:
            given = drawn
            do {
                let worker = try peers.worker(with: .pillow)
                try drawn.tightBytes.write(to: URL(filePath: source))
                try worker.take(.opaque, size, at: source)
                try worker.quantize(.pillow, colors: peer.colors, isDithered: isDithered, writingTo: target)
            } catch {
                return .unavailable(.peerMissing, because: "\(error)")
            }
        case .gifsicle:
            let manager = manager(colors: 256, isDithered: false)
            let file = try await manager.encode(Image(pixels: drawn), as: .gif)
            try file.write(to: URL(filePath: source))
            given = try await manager.decode(file).pixels
            let words = ["gifsicle", "--colors", "\(peer.colors)"] + (isDithered ? ["--dither"] : [])
            guard ExternalProgram.run(words + [source, "-o", target]) == 0 else {
                return .unavailable(.peerMissing, because: "there is no gifsicle; run make bench")
            }
        }
        let similarity = StructuralSimilarity(to: given)
        let theirs = try Data(contentsOf: URL(filePath: target))
        let theirIndex = try similarity.index(
            of: try await manager(colors: 256, isDithered: false).decode(theirs).pixels)
        let (ours, colors) = try await largest(of: given, within: theirs.count, colors: peer.colors, isDithered)
        let ourIndex = try similarity.index(
            of: try await manager(colors: 256, isDithered: false).decode(ours).pixels)
        return .count(
            (1 - ourIndex) / (1 - theirIndex),
            text: "SSIM \(decimal(ourIndex)) with \(colors) colors in \(ours.count) bytes,"
                + " theirs \(decimal(theirIndex)) with \(peer.colors) in \(theirs.count)")
    }

    private static func decimal(_ index: Double) -> String { Table.decimal(index, digits: 4) }

    /// The file of the most colors that is no longer than so many bytes.
    private static func largest(
        of pixels: PixelBuffer, within byteCount: Int, colors: Int, _ isDithered: Bool
    ) async throws -> (file: Data, colors: Int) {
        for count in stride(from: colors, through: 2, by: -1) {
            let file = try await manager(colors: count, isDithered: isDithered)
                .encode(Image(pixels: pixels), as: .gif)
            if file.count <= byteCount { return (file, count) }
        }
        throw BenchmarkError("no file has \(byteCount) bytes")
    }

    /// Both without dithering.
    private static func time(_ peers: Peers) async throws -> Contest {
        let worker: PeerWorker
        do {
            worker = try peers.worker(with: .pillow)
        } catch {
            return .unavailable(.peerMissing, because: "\(error)")
        }
        let folder = try TemporaryFolder.make()
        defer { TemporaryFolder.remove(folder) }
        let source = TemporaryFolder.path("source", in: folder)
        let pixels = try DrawnPicture.pixels(size: size, isOpaque: true)
        try pixels.tightBytes.write(to: URL(filePath: source))
        try worker.take(.opaque, size, at: source)
        let manager = manager(colors: 256, isDithered: false)
        let image = Image(pixels: pixels)
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats {
                    guard try await !manager.encode(image, as: .gif).isEmpty else {
                        throw BenchmarkError("there are no bytes")
                    }
                }
            },
            peer: Contender.keepingTime { repeats in
                try worker.quantize(.pillow, colors: 256, repeats: repeats)
            })
    }
}
#endif
