extension Explanation: CustomStringConvertible {
    public var description: String {
        let sections = [[("url", url)], valueRows, keyRows, cacheRows, workRows].filter { !$0.isEmpty }
        let width = sections.joined().map(\.0.count).max() ?? 0
        return sections.map { rows in
            rows.map { Self.text(of: $0.1, named: $0.0.padded(to: width)) }.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// Returns the lines of a named entry. A line has at most 100 characters, unless the name or a word is too long.
    private static func text(of text: String, named name: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            wrapped(line, to: max(40, 98 - name.count))
        }
        let indent = String(repeating: " ", count: name.count + 2)
        return "\(name)  \(lines.joined(separator: "\n\(indent)"))"
    }

    private static func wrapped(_ text: Substring, to width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let line = lines.last, line.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    // MARK: Values

    /// The maximum length, in characters, of a value that is printed on the same line as its layer.
    private static let longestValue = 40

    private var valueRows: [(String, String)] {
        let width = values.map(\.text.count).filter { $0 <= Self.longestValue }.max() ?? 0
        return values.map { value in
            let separator = value.text.count > Self.longestValue ? "\n" : "  "
            return (value.key.name, value.text.padded(to: width) + separator + Self.origin(of: value))
        }
    }

    private static func origin(of value: Value) -> String {
        var text = "\(value.layer)"
        if value.isChangedByProcessor { text += ", which changed it" }
        let below = value.hidden.map { "\($0.text) (\($0.layer))" }.joined(separator: ", ")
        return below.isEmpty ? text : "\(text), over \(below)"
    }

    // MARK: Identities

    private var keyRows: [(String, String)] {
        var rows = [
            ("source key", source.description),
            ("variant key", variant.isOriginal ? "the original itself" : variant.redactedVariant),
        ]
        if !variant.redactedPolicy.isEmpty { rows.append(("policy", variant.redactedPolicy)) }
        return rows + [("transfer", transferDigest)]
    }

    // MARK: Caches

    private var cacheRows: [(String, String)] {
        var rows = rows(of: image, named: "image")
        if let larger {
            rows.append(("larger in memory", larger.isOriginal ? "the whole picture" : larger.redactedVariant))
        }
        if !variant.isOriginal { rows += self.rows(of: original, named: "original") }
        if let freshness { rows.append(("freshness", freshness)) }
        return rows
    }

    private func rows(of copy: Copy?, named name: String) -> [(String, String)] {
        guard let copy else { return [("\(name) cached", "no: no cache is set for it")] }
        return [
            ("\(name) in memory", "\(memoryText(of: copy)) (\(copy.cache))"),
            ("\(name) on disk", "\(diskText(of: copy)) (\(copy.cache))"),
        ]
    }

    private func memoryText(of copy: Copy) -> String {
        guard let picture = copy.picture else { return "no" }
        let text = "\(picture.size), \(picture.byteCount) bytes"
        return picture.remainingTime.map { "\(text), \(Self.span($0.seconds)) left" } ?? text
    }

    private func diskText(of copy: Copy) -> String {
        if let failure = copy.failure { return "unknown: \(failure)" }
        guard let entry = copy.entry else { return copy.tiers.contains(.disk) ? "yes" : "no" }
        var text = "\(entry.byteCount) bytes"
        if let start = entry.start { text += ", \(Self.span(time - start)) old" }
        if let expiration = entry.expiration { text += ", \(Self.span(expiration - time)) left" }
        return text
    }

    /// Returns a duration in the largest unit that makes the number at least 2, for example `90 min` or `3 h`. A
    /// duration below two minutes is in seconds.
    static func span(_ seconds: Double) -> String {
        // The date of a file can be any number.
        let seconds = Int(min(max(0, seconds), 1e15))
        for (unit, length) in [("d", 86_400), ("h", 3600), ("min", 60)] where seconds >= 2 * length {
            return "\(seconds / length) \(unit)"
        }
        return "\(seconds) s"
    }

    // MARK: Work

    private var workRows: [(String, String)] {
        var rows = [("loader", loader ?? "none supports this URL")]
        if !passedLoaders.isEmpty {
            rows.append(("not supported by", passedLoaders.joined(separator: ", ")))
        }
        if let failure { rows.append(("has failed", failure.description)) }
        var steps = [("transformers", transformers.isEmpty ? "none" : transformers.joined(separator: ", then "))]
        if !decodedTransformers.isEmpty {
            steps.append(("while decoding", decodedTransformers.joined(separator: ", then ")))
        }
        if !joinedTransformers.isEmpty {
            steps.append(("in one pass", joinedTransformers.joined(separator: ", then ")))
        }
        let asked = coders.map { "\($0.name) (\($0.formats.joined(separator: ", ")))" }
        return rows + [
            ("retries", retries),
            ("alternatives", alternatives.isEmpty ? "none" : alternatives.joined(separator: ", then ")),
            ("coders", asked.isEmpty ? "none installed" : asked.joined(separator: ", then ")),
        ] + steps
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
