/// A writer of metrics in the text exposition format of Prometheus, version 0.0.4.
struct PrometheusText {
    /// The type of a metric.
    enum Kind: String {
        /// A number that only increases.
        case counter
        /// A current number, which can decrease.
        case gauge
        /// A distribution of values in buckets.
        case histogram
        /// The count and the sum of values.
        case summary
    }

    /// A value of a metric, with the labels that distinguish it from others.
    struct Sample {
        var suffix = ""
        var labels: [(name: String, value: String)] = []
        var value: String
    }

    /// The lines so far, each with its line feed.
    private(set) var text = ""

    /// Adds a metric with all of its values. Adds nothing if there are no values.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(Self.escaped(help, quote: false))\n# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quote: true))\"" }
            text += name + sample.suffix
            if !labels.isEmpty { text += "{\(labels.joined(separator: ","))}" }
            text += " \(sample.value)\n"
        }
    }

    /// Adds a metric with one value.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        add(name, kind, help, [Sample(value: String(value))])
    }

    /// Adds a metric with one number for each value of a label.
    mutating func add(
        _ name: String, _ kind: Kind, _ help: String, by label: String, _ values: [(name: String, value: Int)]
    ) {
        add(name, kind, help, values.map { Sample(labels: [(label, $0.name)], value: String($0.value)) })
    }

    /// Adds a metric with the count and the total duration of calls.
    mutating func add(_ name: String, _ help: String, _ latency: DataCacheStatistics.Latency) {
        add(
            name, .summary, help,
            [
                Sample(suffix: "_sum", value: latency.total.seconds.contextText),
                Sample(suffix: "_count", value: String(latency.count)),
            ])
    }

    /// Adds a metric with one histogram for each value of a label.
    mutating func add(
        _ name: String, _ help: String, by label: String, _ values: [(name: String, value: LatencyHistogram)]
    ) {
        add(name, .histogram, help, values.flatMap { Self.samples(of: $0.value, labels: [(label, $0.name)]) })
    }

    /// Returns the samples of a histogram. In this format, each bucket also counts the durations of smaller buckets.
    private static func samples(of histogram: LatencyHistogram, labels: [(name: String, value: String)]) -> [Sample] {
        var sum = 0
        var samples: [Sample] = []
        for (bound, count) in zip(LatencyHistogram.bounds, histogram.counts) {
            sum += count
            let bucket = [(name: "le", value: bound.seconds.contextText)]
            samples.append(Sample(suffix: "_bucket", labels: labels + bucket, value: String(sum)))
        }
        let last = labels + [(name: "le", value: "+Inf")]
        return samples + [
            Sample(suffix: "_bucket", labels: last, value: String(histogram.count)),
            Sample(suffix: "_sum", labels: labels, value: histogram.total.seconds.contextText),
            Sample(suffix: "_count", labels: labels, value: String(histogram.count)),
        ]
    }

    private static func escaped(_ text: String, quote: Bool) -> String {
        // By scalars: a line feed after a carriage return forms one character with it.
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quote: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
