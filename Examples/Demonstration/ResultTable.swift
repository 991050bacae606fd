import CalotypeStandard

/// A table of load times. Each picture adds lines of text, which can be printed before the next picture is loaded.
struct ResultTable: Sendable {
    /// A column: its title, its width in characters, and the contents of its cells.
    private struct Column: Sendable {
        let title: String
        let width: Int
        let cell: @Sendable (Trial.Row) -> String
    }

    /// A group of columns under one heading.
    private struct Group: Sendable {
        let title: String
        let columns: [Column]

        var width: Int { columns.reduce(0) { $0 + $1.width } }
    }

    private let groups: [Group]

    /// Creates a table.
    /// - Parameter origin: The origin of pictures that are not cached, for the heading, such as `the network`.
    init(origin: String) {
        groups = [
            Group(
                title: "from \(origin), ms",
                columns: [
                    Column(title: "total", width: 9) { Self.milliseconds($0.first.duration) },
                    Column(title: "load", width: 7) { Self.milliseconds($0.first.metrics, .load) },
                    Column(title: "decode", width: 8) { Self.milliseconds($0.first.metrics, .decode) },
                    Column(title: "transform", width: 11) { Self.milliseconds($0.first.metrics, .transform) },
                ]),
            Group(
                title: "from disk, ms",
                columns: [
                    Column(title: "total", width: 9) { row in row.disk.map { Self.milliseconds($0) } ?? "-" },
                    Column(title: "read", width: 7) { row in
                        row.disk == nil ? "-" : Self.milliseconds(row.second.metrics, .query)
                    },
                    Column(title: "decode", width: 8) { row in
                        row.disk == nil ? "-" : Self.milliseconds(row.second.metrics, .decode)
                    },
                ]),
            Group(
                title: "memory, µs",
                columns: [
                    Column(title: "total", width: 12) { row in
                        row.memory.map { Quantity.number($0.milliseconds * 1000) } ?? "-"
                    }
                ]),
            Group(
                title: "speed-up",
                columns: [
                    Column(title: "disk", width: 7) { $0.diskRatio.map { Quantity.ratio($0) } ?? "-" },
                    Column(title: "memory", width: 12) { $0.memoryRatio.map { Quantity.ratio($0) } ?? "-" },
                ]),
        ]
    }

    /// The two lines of headings above the first picture.
    var head: String {
        let titles = groups.map { $0.title.aligned(to: $0.width) }.joined()
        let columns = groups.flatMap(\.columns).map { $0.title.aligned(to: $0.width) }.joined()
        return "\(Self.name("", ""))\(titles)\n\(Self.name("", ""))\(columns)"
    }

    /// Returns the lines for a picture: one with its properties, and one for each variant.
    /// - Parameters:
    ///   - trial: The measured loads of the picture.
    ///   - requestCount: The number of requests to the server for this picture; nil if they are not counted.
    func text(of trial: Trial, requestCount: Int?) -> String {
        var facts = [trial.description]
        if let requestCount {
            facts.append("\(Quantity.count(requestCount, "request")) for \(trial.rows.count) variants")
        }
        switch trial.likeness {
        case .equal: facts.append("the same pixels each time")
        case .close(let mean):
            facts.append("from disk with the loss of its format (mean difference \(Quantity.number(mean)) of 255)")
        case .different: facts.append("the cached pixels are DIFFERENT")
        }
        let lines = trial.rows.map { row in
            Self.name(row.variant.name, row.first.image.size.description)
                + groups.flatMap(\.columns).map { $0.cell(row).aligned(to: $0.width) }.joined()
        }
        return (["\(trial.offer.name.printable): \(facts.joined(separator: "; "))"] + lines).joined(separator: "\n")
    }

    /// Returns the first two columns of a line: the name of the variant and its size.
    private static func name(_ name: String, _ size: String) -> String {
        "  \(name.padded(to: 10)) \(size.padded(to: 8))"
    }

    private static func milliseconds(_ duration: Duration) -> String { Quantity.number(duration.milliseconds) }

    /// Returns the duration of a stage in milliseconds; a dash if the stage did not occur.
    private static func milliseconds(_ metrics: ImageMetrics, _ stage: ImageError.Stage) -> String {
        metrics.steps.contains { $0.stage == stage } ? milliseconds(metrics.duration(of: stage)) : "-"
    }
}

extension Trial.Row {
    /// The duration of the first response, divided by that of the response from disk; nil if the image was not on disk.
    var diskRatio: Double? { disk.map { ratio(to: $0) } }

    /// The duration of the first response, divided by that of a hit in memory; nil if the image was not in memory.
    var memoryRatio: Double? { memory.map { ratio(to: $0) } }

    private func ratio(to duration: Duration) -> Double {
        // No clock is finer than a nanosecond.
        first.duration.milliseconds / max(duration, .nanoseconds(1)).milliseconds
    }
}

extension String {
    /// Returns the text, padded with trailing spaces to at least `width` characters.
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// Returns the text, padded with leading spaces to at least `width` characters.
    fileprivate func aligned(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
