import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program that draws the sample pictures for the demonstration.
@main
struct SamplePictures {
    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            try await draw(options)
        } catch let error as UsageError {
            complain("\(error.message)\n\n\(Options.usage)")
            exit(64)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func draw(_ options: Options) async throws {
        // Only the coders are used, so a cache would be useless.
        let manager = ImageManager(plugins: [.standard], context: [.off(.imageCache)])
        let directory = URL(filePath: options.directory, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for picture in Picture.all {
            let image = try await picture.image(dividedBy: options.divisor, noise: Noise(seed: options.seed))
            let format = picture.file.format
            let bytes = try await manager.encode(image, as: format, context: picture.file.context)
            let name = "\(picture.name).\(format.fileExtensions.first ?? format.name)"
            try bytes.write(to: directory.appending(path: name), options: .atomic)
            let frames = picture.frameCount > 1 ? ", \(picture.frameCount) frames" : ""
            let depth = image.pixels.format.bitsPerChannel
            print("\(name): \(image.size), \(depth) bits\(frames), \(bytes.count / 1_000) kB")
        }
    }

    private static func complain(_ text: String) {
        let line = Array("sample-pictures: \(text)\n".utf8)
        // If even this cannot be written, nothing can be done.
        _ = line.withUnsafeBytes { bytes in write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }
}
