#if PNG
import CalotypeStandard

/// An animated PNG played once from the first frame to the last, beside Pillow.
enum AnimationFrames {
    private static let size = PixelSize(480, 360)
    private static let frameCount = 60

    static func benchmarks(_ peers: Peers) -> [Benchmark] {
        [
            Benchmark(id: "apng/frames", title: "APNG, \(frameCount) frames of \(size) / Pillow") {
                try await prepare(peers)
            } remark: { seconds, _ in
                "\(Int((Double(frameCount) / seconds).rounded())) frames a second."
            }
        ]
    }

    private static func prepare(_ peers: Peers) async throws -> Contest {
        let worker: PeerWorker
        do {
            worker = try peers.worker(with: .pillow)
        } catch {
            return .unavailable(.peerMissing, because: "\(error)")
        }
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        let drawn = try drawnFrames()
        let frames = FrameList(drawn.map { (pixels: $0, duration: .milliseconds(40)) })
        let file = try await manager.encode(Image(pixels: drawn[0], frames: frames), as: .png)
        let folder = try TemporaryFolder.make()
        defer { TemporaryFolder.remove(folder) }
        let path = TemporaryFolder.path("animation.png", in: folder)
        try file.write(to: URL(filePath: path))
        try worker.take(fileAt: path)
        let shown = TemporaryFolder.path("frame", in: folder)
        for index in [0, frameCount / 2, frameCount - 1] {
            try worker.show(.pillow, frame: index, at: shown)
            guard try Data(contentsOf: URL(filePath: shown)) == drawn[index].tightBytes else {
                throw BenchmarkError("Pillow shows another frame \(index)")
            }
        }
        guard try await last(of: file, manager).tightBytes == drawn[frameCount - 1].tightBytes else {
            throw BenchmarkError("the last frame is not what was drawn")
        }
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats { _ = try await last(of: file, manager) }
            },
            peer: Contender.keepingTime { repeats in
                try worker.play(.pillow, repeats: repeats)
            })
    }

    /// The last frame, after all others.
    private static func last(of file: Data, _ manager: ImageManager) async throws -> PixelBuffer {
        let image = try await manager.decode(file)
        guard let frames = image.frames, frames.frameCount == frameCount else {
            throw BenchmarkError("there are not \(frameCount) frames")
        }
        var pixels = image.pixels
        for index in 1..<frameCount { pixels = try frames.frame(index, job: Job()) }
        return pixels
    }

    /// A disc that moves over a picture.
    private static func drawnFrames() throws -> [PixelBuffer] {
        let ground = try DrawnPicture.pixels(size: size, isOpaque: true)
        return try (0..<frameCount).map { index in
            var builder = try PixelBufferBuilder(layout: ground.layout)
            let center = (x: size.width * (index + 1) / (frameCount + 1), y: size.height / 2 + index % 7 * 10)
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
    }

    private static func isInside(_ x: Int, _ y: Int) -> Bool { x * x + y * y < 60 * 60 }
}
#endif
