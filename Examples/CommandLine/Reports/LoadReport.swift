import CalotypeStandard

/// The output of `calotype load`: a line for each source, in the order of the sources. A line is printed as soon as all
/// lines before it are printed.
@MainActor
final class LoadReport {
    private enum Entry {
        case line(String)
        case failure(any Error)
    }

    private let sources: [Source]
    private let isJSON: Bool
    private let console: Console
    private let nameWidth: Int
    /// The results that cannot be printed yet, because those of earlier sources are missing, by the index of the
    /// source.
    private var waiting: [Int: Entry] = [:]
    /// The index of the source whose result is printed next.
    private var next = 0
    /// The number of failed sources whose failures were printed.
    private(set) var failureCount = 0

    init(sources: [Source], isJSON: Bool, console: Console) {
        self.sources = sources
        self.isJSON = isJSON
        self.console = console
        // A very long name must not push the others' columns off the screen.
        nameWidth = sources.map { min(40, $0.name.printable.count) }.max() ?? 0
    }

    /// Reports a loaded image.
    /// - Parameters:
    ///   - fetched: The image.
    ///   - total: The total duration, in milliseconds.
    ///   - path: The path of the file to which the image was written; nil if it was not written.
    ///   - index: The index of the source.
    func add(_ fetched: Fetched, total: Double, path: String?, at index: Int) {
        do {
            let line =
                try isJSON
                ? JSON.line(Record(fetched, of: sources[index], total: total, path: path))
                : text(of: fetched, name: sources[index].name.printable, total: total)
            put(.line(line), at: index)
        } catch {
            add(error, at: index)
        }
    }

    /// Reports the failure of a source, by the index of the source.
    func add(_ error: any Error, at index: Int) { put(.failure(error), at: index) }

    private func put(_ entry: Entry, at index: Int) {
        waiting[index] = entry
        while let entry = waiting.removeValue(forKey: next) {
            switch entry {
            case .line(let line): console.say(line)
            case .failure(let error):
                failureCount += 1
                console.complain(about: sources[next].name, error)
            }
            next += 1
        }
    }

    /// Returns a line for people, such as `cat.png png 4000x3000 -> 400x300 loader 95.2 ms load 3.1, decode 88.0, store
    /// 4.1`.
    private func text(of fetched: Fetched, name: String, total: Double) -> String {
        let image = fetched.image
        let before = image.attributes.originalSize.map { $0.description } ?? "?"
        let stages = fetched.stages.map { "\($0.name) \(Quantity.tenths($0.milliseconds))" }
        let columns = [
            name.padded(to: nameWidth), (image.attributes.format?.name ?? "?").padded(to: 4),
            "\(before.aligned(to: 11)) -> \(image.size.description.padded(to: 11))", fetched.origin.padded(to: 6),
            "\(Quantity.tenths(total).aligned(to: 8)) ms", stages.joined(separator: ", "),
        ]
        let line = columns.joined(separator: "  ")
        return stages.isEmpty ? String(line.dropLast(2)) : line
    }
}

extension LoadReport {
    /// The JSON object for an image.
    private struct Record: Encodable {
        let source: String
        let format: String?
        let originalWidth: Int?
        let originalHeight: Int?
        let width: Int
        let height: Int
        let from: String
        let milliseconds: [String: Double]
        let totalMilliseconds: Double
        let output: String?

        init(_ fetched: Fetched, of source: Source, total: Double, path: String?) {
            let attributes = fetched.image.attributes
            self.source = source.name
            format = attributes.format?.name
            originalWidth = attributes.originalSize?.width
            originalHeight = attributes.originalSize?.height
            width = fetched.image.width
            height = fetched.image.height
            from = fetched.origin
            milliseconds = Dictionary(
                fetched.stages.map { ($0.name, JSON.milliseconds($0.milliseconds)) }, uniquingKeysWith: { $0 + $1 })
            totalMilliseconds = JSON.milliseconds(total)
            output = path
        }
    }
}
