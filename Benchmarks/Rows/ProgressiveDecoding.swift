#if PNG && JPEG
import CalotypeStandard

/// Files that arrive in pieces and are shown once, at their end, compared with the same coder decoding them at once:
/// the extra cost of a picture that could have been shown earlier.
enum ProgressiveDecoding {
    private static let size = PixelSize(1920, 1080)
    private static let pieceByteCount = 64 << 10

    static var benchmarks: [Benchmark] {
        [
            row("png", "PNG", PNGCoder(), as: .png),
            row("jpeg", "JPEG of one scan", JPEGCoder(), as: .jpeg),
            row("jpeg-scans", "JPEG of many scans", JPEGCoder(), as: .jpeg, context: [.jpegProgressive]),
        ]
    }

    private static func row(
        _ name: String, _ title: String, _ coder: some ImageCoder, as format: ImageFormat, context: ImageContext = []
    ) -> Benchmark {
        Benchmark(id: "progressive/\(name)", title: "\(title), \(size) in pieces / at once") {
            let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
            let drawn = Image(pixels: try DrawnPicture.pixels(size: size, isOpaque: true))
            return try prepare(try await manager.encode(drawn, as: format, context: context), coder)
        }
    }

    private static func prepare(_ file: Data, _ coder: some ImageCoder) throws -> Contest {
        var sink = BufferSink(size)
        try decodeAtOnce(file, coder, into: &sink)
        let expected = sink.bytes
        try decodeInPieces(file, coder, into: &sink)
        guard sink.bytes == expected else { throw BenchmarkError("the pictures differ") }
        return .comparison(
            subject: Contender { repeats in
                var sink = BufferSink(size)
                for _ in 0..<repeats { try decodeInPieces(file, coder, into: &sink) }
            },
            peer: Contender { repeats in
                var sink = BufferSink(size)
                for _ in 0..<repeats { try decodeAtOnce(file, coder, into: &sink) }
            })
    }

    private static func decodeInPieces(_ file: Data, _ coder: some ImageCoder, into sink: inout BufferSink) throws {
        sink.clear()
        let head = ImageBytes(file.prefix(64))
        guard let decoder = try coder.progressiveDecoder(for: head, options: DecodeOptions()) else {
            throw BenchmarkError("the coder has no progressive decoder for the picture")
        }
        for start in stride(from: 0, to: file.count, by: pieceByteCount) {
            let end = min(start + pieceByteCount, file.count)
            try decoder.append(file[start..<end].bytes, isLast: end == file.count)
        }
        guard try decoder.info.pixelSize == size else { throw BenchmarkError("the picture has the wrong size") }
        try decoder.decode(frame: 0, into: &sink, job: Job())
        guard sink.rowCount == size.height else { throw BenchmarkError("rows are missing") }
    }

    private static func decodeAtOnce(_ file: Data, _ coder: some ImageCoder, into sink: inout BufferSink) throws {
        sink.clear()
        guard let decoder = try coder.decoder(for: ImageBytes(file), options: DecodeOptions()) else {
            throw BenchmarkError("the coder does not recognize the picture")
        }
        try decoder.decode(frame: 0, into: &sink, job: Job())
        guard sink.rowCount == size.height else { throw BenchmarkError("rows are missing") }
    }
}
#endif
