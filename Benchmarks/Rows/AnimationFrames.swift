#if PNG
import CalotypeStandard

/// Animations played once from the first frame to the last, compared with Pillow and the libraries of the formats.
enum AnimationFrames {
    private static let size = PixelSize(480, 360)
    private static let frameCount = 60

    /// An animation format and its comparison.
    private struct Film: Sendable {
        let name: String
        let format: ImageFormat
        /// The largest mean difference between a frame and the peer's, of 255: 0 for lossless formats.
        var tolerance = 0.0
    }

    private static let apng = Film(name: "apng", format: .png)
    private static let gif = Film(name: "gif", format: .gif)
    // Both decode the lossy part identically; Pillow and the library blend in different steps.
    private static let webp = Film(name: "webp", format: .webp, tolerance: 0.5)

    static func benchmarks(_ peers: Peers) -> [Benchmark] {
        var benchmarks = [beside(peers, apng)]
        #if GIF
        benchmarks.append(beside(peers, gif))
        benchmarks.append(benchmark(gif, .gifFrames(size, count: frameCount)))
        benchmarks.append(benchmark(gif, .gifFrames(size, count: frameCount, areCopied: false)))
        #endif
        #if WEBP
        benchmarks.append(beside(peers, webp))
        benchmarks.append(benchmark(webp, .webpFrames(size, count: frameCount)))
        #endif
        return benchmarks
    }

    /// Returns a row that compares with a library called from C.
    private static func benchmark(_ film: Film, _ bare: BareLibrary) -> Benchmark {
        Benchmark(id: "\(film.name)/frames/\(bare.name)", title: title(film, bare.name)) {
            let (file, manager) = try await file(film)
            try bare.decode(file)
            try check(try await last(of: file, manager).tightBytes, bare.bytes, film, bare.name)
            return .comparison(
                subject: subject(file, manager),
                peer: Contender { repeats in
                    for _ in 0..<repeats { try bare.decode(file) }
                })
        } remark: { seconds, _ in
            rate(seconds)
        }
    }

    /// Returns a row that compares with Pillow.
    private static func beside(_ peers: Peers, _ film: Film) -> Benchmark {
        Benchmark(id: "\(film.name)/frames/pillow", title: title(film, "Pillow")) {
            try await prepare(film, peers)
        } remark: { seconds, _ in
            rate(seconds)
        }
    }

    private static func title(_ film: Film, _ peer: String) -> String {
        "\(film.name.uppercased()), \(frameCount) frames of \(size) / \(peer)"
    }

    private static func rate(_ seconds: Double) -> String {
        "\(Int((Double(frameCount) / seconds).rounded())) frames a second."
    }

    private static func file(_ film: Film) async throws -> (Data, ImageManager) {
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        let drawn = try drawnFrames()
        let frames = FrameList(drawn.map { (pixels: $0, duration: .milliseconds(40)) })
        return (try await manager.encode(Image(pixels: drawn[0], frames: frames), as: film.format), manager)
    }

    private static func subject(_ file: Data, _ manager: ImageManager) -> Contender {
        Contender { repeats in
            for _ in 0..<repeats { _ = try await last(of: file, manager) }
        }
    }

    private static func check(_ ours: Data, _ theirs: Data, _ film: Film, _ peer: String) throws {
        guard try ours == theirs || PixelDifference.mean(ours, theirs) <= film.tolerance else {
            throw BenchmarkError("\(peer) decoded a different frame")
        }
    }

    private static func prepare(_ film: Film, _ peers: Peers) async throws -> Contest {
        let worker: PeerWorker
        do {
            worker = try peers.worker(with: .pillow)
        } catch {
            return .unavailable(.peerMissing, because: "\(error)")
        }
        let (file, manager) = try await file(film)
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        let path = TemporaryDirectory.path("animation", in: directory)
        try file.write(to: URL(filePath: path))
        try worker.take(fileAt: path)
        let shown = TemporaryDirectory.path("frame", in: directory)
        let image = try await manager.decode(file)
        for index in [0, frameCount / 2, frameCount - 1] {
            try worker.show(.pillow, frame: index, at: shown)
            let ours = try image.frames?.frame(index, job: Job()).tightBytes ?? Data()
            try check(ours, try Data(contentsOf: URL(filePath: shown)), film, "Pillow")
        }
        return .comparison(
            subject: subject(file, manager),
            peer: Contender.keepingTime { repeats in
                try worker.play(.pillow, repeats: repeats)
            })
    }

    /// Returns the last frame, after composing all others.
    private static func last(of file: Data, _ manager: ImageManager) async throws -> PixelBuffer {
        let image = try await manager.decode(file)
        guard let frames = image.frames, frames.frameCount == frameCount else {
            throw BenchmarkError("the animation does not have \(frameCount) frames")
        }
        // No frame is retained, so that the next one is drawn in its memory.
        for index in 1..<frameCount - 1 { _ = try frames.frame(index, job: Job()) }
        return try frames.frame(frameCount - 1, job: Job())
    }

    private static func drawnFrames() throws -> [PixelBuffer] {
        let ground = try DrawnPicture.pixels(size: size, isOpaque: true)
        return try (0..<frameCount).map { try picture($0, of: frameCount, on: ground) }
    }

    /// Draws a moving disc over a picture, at the disc's position in a frame.
    static func picture(_ index: Int, of frameCount: Int, on ground: PixelBuffer) throws -> PixelBuffer {
        let size = ground.size
        var builder = try PixelBufferBuilder(layout: ground.layout)
        let center = (
            x: size.width * (index % frameCount + 1) / (frameCount + 1), y: size.height / 2 + index % 7 * 10
        )
        for y in 0..<size.height {
            builder.withRow(y) { (row: inout MutableRawSpan) -> Void in
                row.withUnsafeMutableBytes { (row: UnsafeMutableRawBufferPointer) -> Void in
                    ground.withRow(y) { (source: RawSpan) -> Void in
                        source.withUnsafeBytes { row.copyMemory(from: $0) }
                    }
                    for x in 0..<size.width where isInside(x - center.x, y - center.y) {
                        row.storeBytes(of: 0xFF20_40E0, toByteOffset: x * 4, as: UInt32.self)
                    }
                }
            }
        }
        return builder.finish(isOpaque: true)
    }

    private static func isInside(_ x: Int, _ y: Int) -> Bool { x * x + y * y < 60 * 60 }
}
#endif
