import Calotype

/// A text in the exposition format of Prometheus, version 0.0.4. It is parsed strictly by the specification; many
/// readers are more lenient.
struct Exposition {
    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Family {
        var type = "untyped"
        var help: String?
        var samples: [Sample] = []
        fileprivate var isTyped = false
    }

    /// A violation of the specification.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    /// The metrics, by name.
    private(set) var families: [String: Family] = [:]
    /// The metric whose lines are being read. The lines of a metric must be contiguous.
    private var current = ""

    init(_ text: String) throws {
        guard text.utf8.last == UInt8(ascii: "\n") else { throw Violation(description: "the last line has no end") }
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            var tokens = ExpositionLine(line)
            do {
                try read(&tokens)
            } catch {
                throw Violation(description: "\(error): \(String(decoding: line, as: UTF8.self))")
            }
        }
        for (name, family) in families { try Self.check(family, name) }
    }

    /// Returns the value of a sample; nil if there is none.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        families.values.flatMap(\.samples).first { $0.name == name && $0.labels == labels }?.value
    }

    // MARK: Lines

    private mutating func read(_ line: inout ExpositionLine) throws {
        line.skipBlanks()
        guard line.take("#") else { return try readSample(&line) }
        line.skipBlanks()
        switch line.word() {
        case "HELP":
            let name = try line.metricName()
            try enter(name)
            guard families[name]?.help == nil else { throw Violation(description: "a second HELP") }
            families[name]?.help = try line.docstring()
        case "TYPE":
            let name = try line.metricName()
            let type = line.word()
            try line.end()
            try enter(name)
            guard families[name]?.isTyped == false else { throw Violation(description: "a second TYPE") }
            guard families[name]?.samples.isEmpty == true else { throw Violation(description: "TYPE behind a sample") }
            guard ["counter", "gauge", "histogram", "summary", "untyped"].contains(type) else {
                throw Violation(description: "an unknown type")
            }
            families[name]?.type = type
            families[name]?.isTyped = true
        default: break
        }
    }

    private mutating func readSample(_ line: inout ExpositionLine) throws {
        let name = try line.metricName()
        let labels = try line.labels()
        let value = try line.number()
        // A timestamp in milliseconds may follow.
        if !line.isAtEnd { _ = try line.number() }
        try line.end()
        let family = owner(of: name)
        try enter(family)
        let isKnown = families[family]?.samples.contains { $0.name == name && $0.labels == labels }
        guard isKnown == false else { throw Violation(description: "twice the same") }
        families[family]?.samples.append(Sample(name: name, labels: labels, value: value))
    }

    /// Returns the metric that a sample name belongs to.
    private func owner(of name: String) -> String {
        for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) {
            let base = String(name.dropLast(suffix.count))
            if ["histogram", "summary"].contains(families[base]?.type) { return base }
        }
        return name
    }

    private mutating func enter(_ name: String) throws {
        guard name != current else { return }
        guard families[name] == nil else { throw Violation(description: "the lines of a metric are not together") }
        families[name] = Family()
        current = name
    }

    // MARK: Families

    private static func check(_ family: Family, _ name: String) throws {
        guard family.type == "histogram" || family.type == "summary" else { return }
        let rows = Dictionary(grouping: family.samples) { $0.labels.filter { $0.key != "le" } }
        for (labels, row) in rows {
            func only(_ suffix: String) throws -> Double {
                let found = row.filter { $0.name == name + suffix }
                guard found.count == 1, let value = found.first?.value else {
                    throw Violation(description: "\(name)\(suffix) of \(labels) is there \(found.count) times")
                }
                return value
            }
            let count = try only("_count")
            _ = try only("_sum")
            guard family.type == "histogram" else { continue }
            let buckets = row.filter { $0.name == name + "_bucket" }
            let bounds = try buckets.map { bucket in
                guard let bound = bucket.labels["le"].flatMap({ Double($0) }) else {
                    throw Violation(description: "a bucket of \(name) has no bound")
                }
                return bound
            }
            guard zip(bounds, bounds.dropFirst()).allSatisfy(<), bounds.last == .infinity else {
                throw Violation(description: "the buckets of \(name) do not grow up to +Inf")
            }
            guard zip(buckets, buckets.dropFirst()).allSatisfy({ $0.value <= $1.value }) else {
                throw Violation(description: "a bucket of \(name) has less than the one within it")
            }
            guard buckets.last?.value == count else {
                throw Violation(description: "the last bucket of \(name) is not its count")
            }
        }
    }
}
