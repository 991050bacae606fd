#if HTTP && JPEG
import CalotypeStandard

/// The typical use: large JPEGs over HTTP to thumbnails through a manager, without its caches and on all processors.
/// The peer is libjpeg-turbo, which decodes as many from memory on as many threads. The difference is loading, the
/// pipeline, resampling, and the server on the same processors.
enum HTTPThumbnails {
    private static let size = PixelSize(4000, 3000)
    private static let thumbnailSize = PixelSize(400, 300)
    /// The divisor of the decoder: it scales down to no less than twice the thumbnail.
    private static let divisor = 4
    /// The number of pictures that are requested at once.
    private static let pictureCount = 16
    private static let threadCount = ProcessInfo.processInfo.activeProcessorCount

    static func benchmarks(_ server: FileServer?) -> [Benchmark] {
        [
            Benchmark(
                id: "pipeline/jpeg-12mp-http-400", title: "\(pictureCount) JPEGs of 12 MP, HTTP to 400 / libjpeg-turbo"
            ) {
                guard let server else { return FileServer.missing }
                return try await prepare(server)
            } remark: { seconds, ratio in
                remark(seconds: seconds, ratio: ratio)
            }
        ]
    }

    private static func remark(seconds: Double, ratio: Ratio) -> String {
        let rate = Table.decimal(Double(pictureCount) / seconds, digits: 1)
        let share = Table.decimal(max(0, 1 - 1 / ratio.value) * 100, digits: 1)
        return "\(rate) images a second on \(threadCount) processors, \(share) % of the time outside the codec."
    }

    private static func prepare(_ server: FileServer) async throws -> Contest {
        let manager = ImageManager(
            plugins: [.standard],
            context: [.off(.imageCache), .thumbnailPixelSize(thumbnailSize.width, thumbnailSize.height)])
        let drawn = Image(pixels: try DrawnPicture.pixels(size: size, isOpaque: true))
        let file = try await manager.encode(drawn, as: .jpeg)
        // Requests for one address would share one load and one decode.
        let batch = FileBatch(
            address: try server.serve(file, as: "12mp.jpg"), count: pictureCount, byteCount: file.count,
            limit: pictureCount)
        let urls = try batch.urls()
        let scaledSize = try await check(urls[0], file, manager)
        return .comparison(
            subject: Contender { repeats in
                for _ in 0..<repeats { try await load(urls, manager) }
            },
            peer: Contender { repeats in
                for _ in 0..<repeats {
                    try BareJPEG.decode(
                        file, divisor: divisor, into: scaledSize, times: pictureCount, threadCount: threadCount)
                }
            })
    }

    /// Checks that the thumbnail matches libjpeg-turbo's picture, resampled. Returns the size of that picture.
    private static func check(_ url: URL, _ file: Data, _ manager: ImageManager) async throws -> PixelSize {
        let bare = BareJPEG(size)
        let scaledSize = try bare.decode(file, divisor: divisor)
        let bytes = bare.bytes(scaledSize)
        var builder = try PixelBufferBuilder(layout: PixelLayout(size: scaledSize))
        let rowByteCount = scaledSize.width * 4
        let rowStride = builder.bytesPerRow
        builder.withUnsafeMutableBytes { (rows: UnsafeMutableRawBufferPointer) -> Void in
            for y in 0..<scaledSize.height {
                let row = UnsafeMutableRawBufferPointer(rebasing: rows[y * rowStride..<y * rowStride + rowByteCount])
                row.copyBytes(from: bytes[y * rowByteCount..<(y + 1) * rowByteCount])
            }
        }
        let expected = try builder.finish(isOpaque: true).resampled(to: thumbnailSize).tightBytes
        let loaded = try await manager.image(for: url).pixels.tightBytes
        let difference = try PixelDifference.mean(loaded, expected)
        guard difference < 0.5 else {
            throw BenchmarkError(
                "the thumbnail is \(Table.decimal(difference, digits: 2)) levels away from its original")
        }
        return scaledSize
    }

    /// Requests all pictures at once, and waits for them.
    private static func load(_ urls: [URL], _ manager: ImageManager) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for url in urls {
                group.addTask {
                    guard try await manager.image(for: url).size == thumbnailSize else {
                        throw BenchmarkError("the thumbnail has the wrong size")
                    }
                }
            }
        }
    }
}
#endif
