#if PNG
import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// PNG coding of several kinds of pictures, compared with libpng and libspng called from C, and with libvips and
/// Pillow. Pictures are decoded to RGBA of 8 bits.
enum PNGCoding {
    private enum Peer: String, CaseIterable {
        case libpng
        case libspng
        case vips
        case pillow
    }

    static func benchmarks(_ peers: Peers, images: [URL]) -> [Benchmark] {
        let pictures = PNGPicture.drawn + PNGPicture.given(images)
        let sum = Benchmark(
            id: "png-encode/all-bytes", title: "PNG encode, bytes of all pictures of 8 bits / libpng"
        ) {
            try await lengths(of: pictures.filter(\.countsInSum))
        }
        return [sum] + pictures.flatMap { benchmarks(for: $0, peers) }
    }

    private static func benchmarks(for picture: PNGPicture, _ peers: Peers) -> [Benchmark] {
        Peer.allCases.flatMap { peer in
            let title = "\(picture.title) / \(peer.rawValue)"
            var benchmarks = [
                Benchmark(id: "png-decode/\(picture.id)/\(peer.rawValue)", title: "PNG decode, \(title)") {
                    try await decoding(picture, peer, peers)
                }
            ]
            // Pillow cannot write RGB of 16 bits.
            if picture.form != .deep || peer != .pillow {
                benchmarks.append(
                    Benchmark(id: "png-encode/\(picture.id)/\(peer.rawValue)", title: "PNG encode, \(title)") {
                        try await encoding(picture, peer, peers)
                    })
            }
            return benchmarks
        }
    }

    /// Calls `body` with a Python peer, its worker, and a function that returns the path of a temporary file.
    private static func withWorker(
        _ peer: Peer, _ peers: Peers,
        _ body: (Peers.Name, PeerWorker, _ path: (_ name: String) -> String) async throws -> Contest
    ) async throws -> Contest {
        let (name, worker): (Peers.Name, PeerWorker)
        do throws(BenchmarkError) {
            (name, worker) = try peers.codec(peer.rawValue)
        } catch {
            return .unavailable(.peerMissing, because: "\(error)")
        }
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        return try await body(name, worker) { TemporaryDirectory.path($0, in: directory) }
    }

    // MARK: Decoding

    private static func decoding(_ picture: PNGPicture, _ peer: Peer, _ peers: Peers) async throws -> Contest {
        let pixels = try await picture.pixels()
        let size = pixels.size
        // As most files are written.
        let file = try BarePNG.encode(PNGRows(pixels, as: picture.form))
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        let decoded = try await manager.decode(file).pixels.tightBytes
        guard picture.form == .deep || decoded == pixels.tightBytes else {
            throw BenchmarkError("the decoded picture differs from the encoded one")
        }
        let subject = picture.isForCoder ? try coderDecoding(file, of: size) : decoding(file, manager)
        func check(_ other: Data, by name: String) throws {
            // 16 bits are rounded in different ways.
            guard try other == decoded || (picture.form == .deep && PixelDifference.mean(other, decoded) < 1) else {
                throw BenchmarkError("\(name) decoded a different picture")
            }
        }
        switch peer {
        case .libpng:
            let bare = try BarePNG.decode(file, size)
            defer { free(bare) }
            try check(Data(bytes: bare, count: decoded.count), by: "libpng")
            return .comparison(
                subject: subject,
                peer: Contender { repeats in
                    for _ in 0..<repeats { free(try BarePNG.decode(file, size)) }
                })
        case .libspng:
            guard BareSPNG.isInstalled else { return missing }
            let bare = BareSPNG.decoder(size)
            try bare.decode(file)
            try check(bare.bytes, by: "libspng")
            return .comparison(
                subject: subject,
                peer: Contender { repeats in
                    for _ in 0..<repeats { try bare.decode(file) }
                })
        case .vips, .pillow:
            return try await withWorker(peer, peers) { name, worker, path in
                let (source, result) = (path("source.png"), path("pixels"))
                try file.write(to: URL(filePath: source))
                try worker.take(fileAt: source)
                try worker.decode(name, writingTo: result)
                try check(Data(contentsOf: URL(filePath: result)), by: name.title)
                return .comparison(
                    subject: subject, peer: Contender.keepingTime { try worker.decode(name, repeats: $0) })
            }
        }
    }

    private static func decoding(_ file: Data, _ manager: ImageManager) -> Contender {
        Contender { repeats in
            for _ in 0..<repeats {
                guard try await manager.decode(file).size.width > 0 else {
                    throw BenchmarkError("the picture is empty")
                }
            }
        }
    }

    /// Returns the work of the coder alone, without a manager and its thread switches.
    private static func coderDecoding(_ file: Data, of size: PixelSize) throws -> Contender {
        let coder = PNGCoder()
        return Contender { repeats in
            var sink = BufferSink(size)
            for _ in 0..<repeats {
                sink.clear()
                guard let decoder = try coder.decoder(for: ImageBytes(file), options: DecodeOptions()) else {
                    throw BenchmarkError("the coder does not recognize the picture")
                }
                try decoder.decode(frame: 0, into: &sink, job: Job())
                guard sink.rowCount == size.height else { throw BenchmarkError("rows are missing") }
            }
        }
    }

    // MARK: Encoding

    private static func encoding(_ picture: PNGPicture, _ peer: Peer, _ peers: Peers) async throws -> Contest {
        let pixels = try await picture.pixels()
        let image = Image(pixels: pixels)
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        let rows = PNGRows(pixels, as: picture.form)
        let file = try await manager.encode(image, as: .png)
        let expected = pixels.tightBytes
        func check(_ file: Data, by name: String) async throws {
            guard try await manager.decode(file, context: [.nativeDepth]).pixels.tightBytes == expected else {
                throw BenchmarkError("\(name) wrote a different picture")
            }
        }
        try await check(file, by: "the library")
        guard try 40 * file.count <= 41 * BarePNG.encode(rows).count else {
            throw BenchmarkError("the file is more than a fortieth longer than libpng's")
        }
        let subject =
            picture.isForCoder
            ? try coderEncoding(image)
            : Contender { repeats in
                for _ in 0..<repeats {
                    guard try await manager.encode(image, as: .png).count == file.count else {
                        throw BenchmarkError("the length of the file changed")
                    }
                }
            }
        func comparison(with contender: Contender, _ other: Data) async throws -> Contest {
            try await check(other, by: peer.rawValue)
            return .comparison(
                subject: subject, peer: contender, note: "\(file.count) bytes, \(peer.rawValue) \(other.count).")
        }
        switch peer {
        case .libpng:
            return try await comparison(with: encoding(rows, by: BarePNG.encode), BarePNG.encode(rows))
        case .libspng:
            guard BareSPNG.isInstalled else { return missing }
            return try await comparison(with: encoding(rows, by: BareSPNG.encode), BareSPNG.encode(rows))
        case .vips, .pillow:
            return try await withWorker(peer, peers) { name, worker, path in
                let (source, result) = (path("pixels"), path("result.png"))
                try expected.write(to: URL(filePath: source))
                try worker.take(rows.form.kind, pixels.size, at: source)
                try worker.encode(name, writingTo: result)
                return try await comparison(
                    with: Contender.keepingTime { try worker.encode(name, repeats: $0) },
                    Data(contentsOf: URL(filePath: result)))
            }
        }
    }

    /// Compares the sums of the lengths that the pictures have as files.
    private static func lengths(of pictures: [PNGPicture]) async throws -> Contest {
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        var (ours, theirs) = (0, 0)
        for picture in pictures {
            let pixels = try await picture.pixels()
            ours += try await manager.encode(Image(pixels: pixels), as: .png).count
            theirs += try BarePNG.encode(PNGRows(pixels, as: picture.form)).count
        }
        return .count(Double(ours) / Double(theirs), text: "\(ours) bytes, libpng \(theirs)")
    }

    private static func coderEncoding(_ image: Image) throws -> Contender {
        guard let encoder = PNGCoder().encoder(for: .png) else {
            throw BenchmarkError("the coder does not write PNG")
        }
        return Contender { repeats in
            for _ in 0..<repeats {
                guard try !encoder.encode(image, options: EncodeOptions(), job: Job()).isEmpty else {
                    throw BenchmarkError("the file is empty")
                }
            }
        }
    }

    private static func encoding(
        _ rows: PNGRows, by encode: @escaping (PNGRows) throws(BenchmarkError) -> Data
    ) -> Contender {
        Contender { repeats in
            for _ in 0..<repeats {
                guard try !encode(rows).isEmpty else { throw BenchmarkError("the file is empty") }
            }
        }
    }

    private static var missing: Contest {
        .unavailable(.peerMissing, because: "libspng is not installed; run make bench, which installs it")
    }
}
#endif
