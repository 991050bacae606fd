#if JPEG && PNG
import CalotypeStandard

/// The whole conversion from the bytes of a file to the bytes of a JPEG, through a manager. The peers are libvips with
/// one thread and with two, Pillow, and the libraries of the formats called from C, which decode at the same scale and
/// encode.
///
/// The thumbnails of each peer and of the library are compared with the exact one. The row fails if the library's is
/// further from it than libvips'.
enum Thumbnails {
    /// A picture and the bounds of its thumbnail.
    private struct Job: Sendable {
        let id: String
        let title: String
        /// The bounds that the thumbnail fits into.
        let bounds: PixelSize
        let file: @Sendable () async throws -> Data
    }

    private enum Peer: String, CaseIterable {
        case vips
        case vips2
        case pillow
        case floor

        var title: String {
            switch self {
            case .vips: "libvips"
            case .vips2: "libvips, 2 threads"
            case .pillow: "Pillow"
            case .floor: "bare C"
            }
        }
    }

    private static let quality = 80

    static func benchmarks(_ peers: Peers, images: [URL]) -> [Benchmark] {
        (drawn + drawnNewer + given(images)).flatMap { job in
            Peer.allCases.map { peer in
                Benchmark(id: "thumbnail/\(job.id)/\(peer.rawValue)", title: "\(job.title) / \(peer.title)") {
                    try await prepare(job, peer, peers)
                }
            }
        }
    }

    private static let drawn = [
        drawnJob("jpeg-6mp-720", "JPEG 2725x2225 to 720x588", PixelSize(2725, 2225), PixelSize(720, 588)),
        drawnJob("jpeg-12mp-400", "JPEG 12 MP to 400", PixelSize(4000, 3000), PixelSize(400, 400)),
        drawnJob("jpeg-12mp-720", "JPEG 12 MP to 720", PixelSize(4000, 3000), PixelSize(720, 720)),
        drawnJob(
            "jpeg-18mp-1000", "JPEG progressive 18 MP to 1000", PixelSize(5184, 3456), PixelSize(1000, 1000),
            context: [.jpegProgressive]),
        drawnJob(
            "png-2048-720", "PNG RGBA 2048x1536 to 720", PixelSize(2048, 1536), PixelSize(720, 720), format: .png),
    ]

    /// The newer formats that the peers' wheels can read, which excludes HEIC.
    private static var drawnNewer: [Job] {
        var jobs: [Job] = []
        #if WEBP
        jobs += [
            drawnJob(
                "webp-6mp-720", "WebP 2725x2225 to 720x588", PixelSize(2725, 2225), PixelSize(720, 588), format: .webp),
            drawnJob(
                "webp-alpha-3mp-400", "WebP with alpha 2048x1536 to 400", PixelSize(2048, 1536), PixelSize(400, 400),
                format: .webp, isOpaque: false),
        ]
        #endif
        #if GIF
        jobs.append(
            drawnJob(
                "gif-3mp-400", "GIF 2048x1536 to 400", PixelSize(2048, 1536), PixelSize(400, 400), format: .gif))
        #endif
        #if HEIF
        jobs.append(
            drawnJob(
                "avif-3mp-400", "AVIF 2048x1536 to 400", PixelSize(2048, 1536), PixelSize(400, 400), format: .avif))
        #endif
        return jobs
    }

    private static func drawnJob(
        _ id: String, _ title: String, _ size: PixelSize, _ bounds: PixelSize, format: ImageFormat = .jpeg,
        isOpaque: Bool? = nil, context: ImageContext = []
    ) -> Job {
        Job(id: id, title: title, bounds: bounds) {
            let image = Image(pixels: try DrawnPicture.pixels(size: size, isOpaque: isOpaque ?? (format != .png)))
            return try await makeManager().encode(image, as: format, context: context)
        }
    }

    /// Thumbnails of the user's own pictures, to 720 pixels.
    private static func given(_ images: [URL]) -> [Job] {
        images.map { url in
            Job(id: url.lastPathComponent, title: "\(url.lastPathComponent) to 720", bounds: PixelSize(720, 720)) {
                try Data(contentsOf: url)
            }
        }
    }

    private static func makeManager(_ bounds: PixelSize = PixelSize(0, 0)) -> ImageManager {
        ImageManager(
            plugins: [.standard],
            context: [
                .off(.imageCache), .thumbnailPixelSize(bounds.width, bounds.height),
                .compressionQuality(Double(quality) / 100),
            ])
    }

    private static func prepare(_ job: Job, _ peer: Peer, _ peers: Peers) async throws -> Contest {
        let file = try await job.file()
        let manager = makeManager(job.bounds)
        let thumbnail = try await manager.decode(file)
        let size = thumbnail.size
        let subject = Contender { repeats in
            for _ in 0..<repeats {
                guard try await !manager.encode(manager.decode(file), as: .jpeg).isEmpty else {
                    throw BenchmarkError("the thumbnail is empty")
                }
            }
        }
        guard peer != .floor else {
            let floor = try await BareThumbnail(file, thumbnail: thumbnail, quality: quality)
            return .comparison(
                subject: subject,
                peer: Contender { repeats in
                    for _ in 0..<repeats { try floor.run() }
                })
        }
        let name: Peers.Name = peer == .pillow ? .pillow : .vips
        let worker: PeerWorker
        do {
            worker = try peers.worker(with: name, threadCount: peer == .vips2 ? 2 : 1)
        } catch {
            return .unavailable(.peerMissing, because: "\(error)")
        }
        let closeness = try await ThumbnailCloseness(file, thumbnail, beside: name, of: worker)
        guard name != .vips || closeness.isEnough else { throw BenchmarkError(closeness.text) }
        return .comparison(
            subject: subject,
            peer: Contender.keepingTime { repeats in
                try worker.thumbnail(name, size, quality: quality, repeats: repeats)
            },
            note: closeness.text)
    }
}
#endif
