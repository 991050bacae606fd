#if GIF
import CalotypeStandard

/// Pictures with more colors than a GIF allows: the similarity of the result in files of the same size, compared with
/// Pillow and gifsicle, and the time for it.
enum GIFQuantizing {
    private enum Peer: String, CaseIterable {
        case pillow
        case gifsicle

        var title: String { self == .pillow ? "Pillow" : rawValue }
        /// The number of colors that the peer starts with. gifsicle reads GIFs, which have at most 256.
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

    /// A GIF with a number of colors, and its similarity to the original picture.
    private struct Attempt {
        let colors: Int
        let byteCount: Int
        let index: Double

        var text: String { "\(Table.decimal(index, digits: 4)) with \(colors) colors in \(byteCount) bytes" }
    }

    /// Returns the shortfall of the similarity from 1, relative to the peer's. The side with the longer file gets fewer
    /// colors.
    private static func similarity(beside peer: Peer, isDithered: Bool, _ peers: Peers) async throws -> Contest {
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        let encode: (_ colors: Int) throws -> Data
        let pixels: PixelBuffer
        do {
            (pixels, encode) = try await prepare(peer, isDithered: isDithered, peers, in: directory)
        } catch {
            return .unavailable(.peerMissing, because: "\(error)")
        }
        let similarity = StructuralSimilarity(to: pixels)
        func attempt(_ colors: Int, _ file: Data) async throws -> Attempt {
            let shown = try await manager(colors: 256, isDithered: false).decode(file).pixels
            return Attempt(colors: colors, byteCount: file.count, index: try similarity.index(of: shown))
        }
        func ours(_ colors: Int) async throws -> Attempt {
            let manager = manager(colors: colors, isDithered: isDithered)
            return try await attempt(colors, manager.encode(Image(pixels: pixels), as: .gif))
        }
        var our = try await ours(peer.colors)
        var their = try await attempt(peer.colors, encode(peer.colors))
        let most = min(our.byteCount, their.byteCount)
        while our.byteCount > most, our.colors > 2 { our = try await ours(our.colors - 1) }
        while their.byteCount > most, their.colors > 2 {
            their = try await attempt(their.colors - 1, encode(their.colors - 1))
        }
        return .count((1 - our.index) / (1 - their.index), text: "SSIM \(our.text), theirs \(their.text)")
    }

    /// Returns the picture that both sides receive, and a function that has the peer encode it.
    private static func prepare(
        _ peer: Peer, isDithered: Bool, _ peers: Peers, in directory: URL
    ) async throws -> (PixelBuffer, encode: (_ colors: Int) throws -> Data) {
        let source = TemporaryDirectory.path("source", in: directory)
        let target = TemporaryDirectory.path("target.gif", in: directory)
        let drawn = try DrawnPicture.pixels(size: size, isOpaque: true)
        func written() throws -> Data { try Data(contentsOf: URL(filePath: target)) }
        switch peer {
        case .pillow:
            let worker = try peers.worker(with: .pillow)
            try drawn.tightBytes.write(to: URL(filePath: source))
            try worker.take(.opaque, size, at: source)
            return (
                drawn,
                {
                    try worker.quantize(.pillow, colors: $0, isDithered: isDithered, writingTo: target)
                    return try written()
                }
            )
        case .gifsicle:
            guard ExternalProgram.run(["gifsicle", "--version"]) == 0 else {
                throw BenchmarkError("gifsicle is not installed; run make bench, which installs it")
            }
            let manager = manager(colors: 256, isDithered: false)
            let file = try await manager.encode(Image(pixels: drawn), as: .gif)
            try file.write(to: URL(filePath: source))
            return (
                try await manager.decode(file).pixels,
                { colors in
                    let words = ["gifsicle", "--colors", "\(colors)"] + (isDithered ? ["--dither"] : [])
                    guard ExternalProgram.run(words + [source, "-o", target]) == 0 else {
                        throw BenchmarkError("gifsicle ended with an error")
                    }
                    return try written()
                }
            )
        }
    }

    /// Measures the encoding time of both sides, without dithering.
    private static func time(_ peers: Peers) async throws -> Contest {
        let worker: PeerWorker
        do {
            worker = try peers.worker(with: .pillow)
        } catch {
            return .unavailable(.peerMissing, because: "\(error)")
        }
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        let source = TemporaryDirectory.path("source", in: directory)
        let pixels = try DrawnPicture.pixels(size: size, isOpaque: true)
        try pixels.tightBytes.write(to: URL(filePath: source))
        try worker.take(.opaque, size, at: source)
        let manager = manager(colors: 256, isDithered: false)
        let image = Image(pixels: pixels)
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats {
                    guard try await !manager.encode(image, as: .gif).isEmpty else {
                        throw BenchmarkError("the file is empty")
                    }
                }
            },
            peer: Contender.keepingTime { repeats in
                try worker.quantize(.pillow, colors: 256, repeats: repeats)
            })
    }
}
#endif
