import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program that demonstrates the effect of the caches. It loads the same pictures over the network, from disk and
/// from memory.
@main
struct Demonstration {
    /// The lane for file operations. It runs blocking calls on its own thread, so that they do not block the threads of
    /// tasks.
    private static let files = Lane(name: "demo-files", width: 1)

    private let directory: URL
    private let stand: PictureStand
    private let table = ResultTable(origin: PictureStand.origin)
    private var sheet = ContactSheet()
    private var summary = Summary()
    private var failureCount = 0

    static func main() async {
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            guard !options.wantsHelp else { return Console.say(Options.usage) }
            var demonstration = try Demonstration(in: options.directory)
            try await demonstration.run(options.sources)
            exit(demonstration.failureCount == 0 ? 0 : 1)
        } catch let error as UsageError {
            Console.complain("\(error.message)\n\n\(Options.usage)")
            exit(64)
        } catch {
            Console.complain("\(error)")
            exit(1)
        }
    }

    private init(in directory: String) throws {
        self.directory = URL(filePath: PictureFile(directory).path, directoryHint: .isDirectory)
        stand = try PictureStand()
    }

    private mutating func run(_ sources: [String]) async throws {
        let cache = directory.appending(path: "cache", directoryHint: .isDirectory)
        // Entries of an earlier run would be found instead of loaded. Files of other programs remain.
        try await Self.files.run { try DiskCache(at: cache).clear() }
        Console.say(stand.note)
        Console.say("Each image is requested in \(Variant.all.count) variants at the same time.\n")
        Console.say(table.head)
        for (index, source) in sources.enumerated() { await show(source, number: index + 1, cachedIn: cache) }
        stand.close()
        guard sheet.pictureCount > 0 else {
            return Console.say("\nNo image could be loaded, so there is no contact sheet.")
        }
        Console.say("\n\(summary.description)")
        try await writeSheet()
    }

    /// Loads the picture of a source and prints its times, or prints the failure.
    private mutating func show(_ source: String, number: Int, cachedIn cache: URL) async {
        let stand = stand
        defer { stand.withdraw(number) }
        do {
            let offer = try await Self.files.run { try stand.offer(source, number: number) }
            let countBefore = stand.requestCount
            let trial = try await Trial(of: offer, cachedIn: cache)
            let requestCount = offer.isCounted ? stand.requestCount - countBefore : nil
            Console.say(table.text(of: trial, requestCount: requestCount))
            let (sheet, images) = (sheet, trial.rows.map(\.first.image))
            self.sheet = try await Self.files.run {
                var longer = sheet
                try longer.add(images)
                return longer
            }
            summary.add(trial, requestCount: requestCount)
            if trial.likeness == .different { failureCount += 1 }
        } catch {
            failureCount += 1
            Console.complain("\(Offer.name(of: source).printable): \(Console.describe(error))")
        }
    }

    /// Writes the contact sheet to its file, completely or not at all.
    private func writeSheet() async throws {
        let manager = ImageManager(plugins: [.standard], context: [.off(ContextKey.imageCache)])
        let bytes = try await manager.encode(try sheet.image(), as: .png)
        let directory = directory
        let file = directory.appending(path: "contact-sheet.png")
        try await Self.files.run {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try bytes.write(to: file, options: .atomic)
        }
        let limit = summary.pictureCount > sheet.pictureCount ? " of the first \(sheet.pictureCount) images" : ""
        Console.say("Contact sheet\(limit): \(file.relativePath)")
    }
}
