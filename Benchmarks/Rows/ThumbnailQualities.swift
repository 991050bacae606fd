#if JPEG && PNG
import CalotypeStandard

/// The distance of thumbnails from the exact ones where decoders take shortcuts: on noise, edges and fine text, at each
/// of libjpeg-turbo's scales, compared with libvips.
enum ThumbnailQualities {
    private static let size = PixelSize(2725, 2225)
    /// Divisors just beyond the thresholds at which libjpeg-turbo decodes at a half, a quarter and an eighth.
    private static let divisors = [4.1, 8.1, 16.1]

    static func benchmarks(_ peers: Peers) -> [Benchmark] {
        TestPattern.allCases.flatMap { pattern in
            divisors.map { divisor in
                Benchmark(
                    id: "thumbnail-quality/\(pattern.rawValue)-\(Int(divisor))/vips",
                    title: "decibels behind, \(pattern.rawValue) to 1/\(Int(divisor)) / libvips"
                ) {
                    try await prepare(pattern, divisor, peers)
                }
            }
        }
    }

    private static func prepare(_ pattern: TestPattern, _ divisor: Double, _ peers: Peers) async throws -> Contest {
        let worker: PeerWorker
        do {
            worker = try peers.worker(with: .vips)
        } catch {
            return .unavailable(.peerMissing, because: "\(error)")
        }
        let manager = ImageManager(plugins: [.standard])
        let drawn = Image(pixels: try pattern.pixels(size: size))
        let file = try await manager.encode(drawn, as: .jpeg)
        let width = Int(Double(size.width) / divisor)
        let thumbnail = try await manager.decode(file, context: [.thumbnailPixelSize(width, 0)])
        let closeness = try await ThumbnailCloseness(file, thumbnail, beside: .vips, of: worker)
        return .count(closeness.isEnough ? 0 : closeness.theirs - closeness.ours, text: closeness.text)
    }
}
#endif
