#if HTTP && JPEG
import CalotypeStandard

/// The main job: large JPEGs over HTTP to thumbnails through a manager, without its caches and with all processors,
/// beside libjpeg-turbo decoding as many from memory on as many threads. What is more is loading, the way through the
/// pipeline and resampling; and the server, which has to share the processors.
enum HTTPThumbnails {
    private static let size = PixelSize(4000, 3000)
    private static let thumbnailSize = PixelSize(400, 300)
    /// How far the decoder scales down on its own: not below twice the thumbnail.
    private static let divisor = 4
    /// So many pictures are wanted at once.
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

    /// That the thumbnail is what libjpeg-turbo's picture becomes; the size of that.
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
            throw BenchmarkError("the thumbnail is \(Table.decimal(difference, digits: 2)) levels from its original")
        }
        return scaledSize
    }

    /// Asks for all pictures at once, and waits for them.
    private static func load(_ urls: [URL], _ manager: ImageManager) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for url in urls {
                group.addTask {
                    guard try await manager.image(for: url).size == thumbnailSize else {
                        throw BenchmarkError("the thumbnail has another size")
                    }
                }
            }
        }
    }
}
#endif
