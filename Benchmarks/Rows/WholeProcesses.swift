#if JPEG && PNG
import CalotypeStandard
import Foundation

/// The tool compared with `vipsthumbnail`, each as a separate process: time and memory.
enum WholeProcesses {
    private static let tool = "vipsthumbnail"
    /// The tool is in the directory of this program, with which it is built.
    private static let ours = Bundle.main.bundleURL.appending(path: "calotype").path(percentEncoded: false)

    private static let hugeSize = PixelSize(10_000, 10_000)
    private static let manySize = PixelSize(1600, 1200)
    private static let manyCount = 200

    /// - Parameter python: The Python that measures memory; nil if there is none.
    static func benchmarks(python: String?) -> [Benchmark] {
        filmTools.map { film(beside: $0, python) } + [
            huge(.jpeg, "jpeg", python), huge(.png, "png", python),
            huge(.jpeg, "jpeg-noise", python, title: "JPEG of noise") {
                try TestPattern.noise.pixels(size: PixelSize(11_570, 8680))
            },
            manyInTime,
            Benchmark(
                id: "process/jpeg-\(manyCount)-memory", title: "memory, \(manyCount) JPEGs of 2 MP to 400 / \(tool)"
            ) {
                try await inDirectory { directory in
                    try memory(of: try await many(in: directory), bounds: 400, in: directory, python)
                }
            },
        ]
    }

    /// Compares the peak memory of making a thumbnail of a huge picture.
    private static func huge(
        _ format: ImageFormat, _ name: String, _ python: String?, title: String? = nil,
        draw: @escaping () throws -> PixelBuffer = { try DrawnPicture.pixels(size: hugeSize, isOpaque: true) }
    ) -> Benchmark {
        Benchmark(
            id: "process/\(name)-100mp-memory", title: "memory, \(title ?? format.name) 100 MP to 1000 / \(tool)"
        ) {
            try await inDirectory { directory in
                let source = TemporaryDirectory.path("huge.\(format.name)", in: directory)
                let image = Image(pixels: try draw())
                let manager = ImageManager(plugins: [.standard], context: [.pngCompressionLevel(1)])
                try await manager.encode(image, as: format).write(to: URL(filePath: source))
                return try memory(of: [source], bounds: 1000, in: directory, python)
            }
        }
    }

    // MARK: Animations

    /// A program that converts a GIF into a WebP, and its arguments.
    private struct FilmTool: Sendable {
        let name: String
        let words: @Sendable (_ source: String, _ target: String) -> [String]
    }

    private static let filmTools: [FilmTool] = {
        #if GIF && WEBP
        return [
            FilmTool(name: "gif2webp") { ["gif2webp", "-quiet", "-lossy", "-q", "75", $0, "-o", $1] },
            FilmTool(name: "vips") { ["vips", "copy", "\($0)[n=-1]", "\($1)[Q=75]"] },
            FilmTool(name: "magick") { ["convert", $0, "-quality", "75", $1] },
        ]
        #else
        return []
        #endif
    }()

    private static let filmSize = PixelSize(320, 240)
    private static let filmLength = 500

    /// Compares the peak memory of converting a GIF of many frames into a WebP.
    private static func film(beside tool: FilmTool, _ python: String?) -> Benchmark {
        Benchmark(
            id: "process/gif-\(filmLength)-webp-memory/\(tool.name)",
            title: "memory, GIF of \(filmLength) frames to WebP / \(tool.name)"
        ) {
            guard let python else { return missing }
            return try await inDirectory { directory in
                let source = TemporaryDirectory.path("film.gif", in: directory)
                let film = Image(
                    pixels: try Film.picture(0, of: filmSize), frames: Film(frameCount: filmLength, filmSize))
                let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
                try await manager.encode(film, as: .gif).write(to: URL(filePath: source))
                let (ours, theirs) = (
                    TemporaryDirectory.path("ours.webp", in: directory),
                    TemporaryDirectory.path("theirs.webp", in: directory)
                )
                let words = tool.words(source, theirs)
                guard ExternalProgram.run(words) == 0 else {
                    return .unavailable(.peerMissing, because: "\(words[0]) is not installed")
                }
                return try comparison(
                    [Self.ours, "convert", source, ours, "--quality", "75"], words, python: python)
            }
        }
    }

    /// A moving disc over a picture. Each frame is drawn on demand.
    private struct Film: FrameSource {
        let frameCount: Int
        let loopCount = 0
        let byteCount = 0
        private let size: PixelSize

        init(frameCount: Int, _ size: PixelSize) { (self.frameCount, self.size) = (frameCount, size) }

        func duration(ofFrame index: Int) -> Duration { .milliseconds(40) }
        func frame(_ index: Int, job: Job) throws -> PixelBuffer { try Self.picture(index, of: size) }

        static func picture(_ index: Int, of size: PixelSize) throws -> PixelBuffer {
            try AnimationFrames.picture(index, of: 100, on: DrawnPicture.pixels(size: size, isOpaque: true))
        }
    }

    // MARK: Many pictures

    /// Compares the time for many pictures, two at a time.
    private static var manyInTime: Benchmark {
        Benchmark(
            id: "process/jpeg-\(manyCount)-time", title: "time, \(manyCount) JPEGs of 2 MP to 400 / \(tool)"
        ) {
            guard isToolInstalled else { return missing }
            // The files are needed as long as the row is measured, which is after this function returns.
            let owner = DirectoryOwner(try TemporaryDirectory.make())
            let sources = try await many(in: owner.directory)
            return .comparison(
                subject: contender(oursWords(sources, bounds: 400, in: owner.directory), owner),
                peer: contender(theirWords(sources, bounds: 400, in: owner.directory), owner))
        }
    }

    /// Writes equal files and returns their paths.
    private static func many(in directory: URL) async throws -> [String] {
        let image = Image(pixels: try DrawnPicture.pixels(size: manySize, isOpaque: true))
        let file = try await ImageManager(plugins: [.standard]).encode(image, as: .jpeg)
        return try (0..<manyCount).map { number in
            let path = TemporaryDirectory.path("\(number).jpg", in: directory)
            try file.write(to: URL(filePath: path))
            return path
        }
    }

    private static func contender(_ words: [String], _ owner: DirectoryOwner) -> Contender {
        Contender { repeats in
            for _ in 0..<repeats {
                guard ExternalProgram.run(words) == 0 else { throw BenchmarkError("\(words[0]) ended with an error") }
            }
            withExtendedLifetime(owner) {}
        }
    }

    private static func memory(
        of sources: [String], bounds: Int, in directory: URL, _ python: String?
    ) throws -> Contest {
        guard isToolInstalled, let python else { return missing }
        return try comparison(
            oursWords(sources, bounds: bounds, in: directory), theirWords(sources, bounds: bounds, in: directory),
            python: python)
    }

    /// Compares the peak memory of two programs.
    private static func comparison(_ one: [String], _ other: [String], python: String) throws -> Contest {
        let ours = try ExternalProgram.peakBytes(one, python: python)
        let theirs = try ExternalProgram.peakBytes(other, python: python)
        return .count(
            Double(ours) / Double(theirs),
            text: "at most \(ours >> 20) MiB at once, theirs \(theirs >> 20) MiB")
    }

    private static func oursWords(_ sources: [String], bounds: Int, in directory: URL) -> [String] {
        // A separate directory: files with the same name are numbered instead of overwritten.
        let target = TemporaryDirectory.path("ours", in: directory) + "/"
        return [
            ours, "load", "--concurrency", "2", "--quality", "80", "--thumbnail", "\(bounds)x\(bounds)", "--format",
            "jpeg",
        ]
            + ["--cache", "none", "-o", target] + sources
    }

    private static func theirWords(_ sources: [String], bounds: Int, in directory: URL) -> [String] {
        [
            tool, "--size", "\(bounds)x\(bounds)", "-o",
            TemporaryDirectory.path("theirs-%s.jpg", in: directory) + "[Q=80]",
        ]
            + sources
    }

    private static var isToolInstalled: Bool { ExternalProgram.run([tool, "--vips-version"]) == 0 }

    private static var missing: Contest {
        .unavailable(.peerMissing, because: "\(tool) or python3 is not installed; run make bench")
    }

    private static func inDirectory(_ body: (URL) async throws -> Contest) async throws -> Contest {
        let directory = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(directory) }
        return try await body(directory)
    }
}
#endif
