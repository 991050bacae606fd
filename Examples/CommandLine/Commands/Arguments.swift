/// The words after a command, sorted into operands and options.
///
/// Options may stand anywhere, as `--name VALUE` or `--name=VALUE`. The word `--` ends the options: all later words are
/// operands, even if they begin with a dash.
struct Arguments: Sendable {
    /// The words that are not options, in order.
    private(set) var operands: [String] = []
    /// The given values of each option, by its long form.
    private var given: [String: [String]] = [:]

    /// Sorts the words after a command. Throws `UsageError` for an option that `command` does not accept, and for a
    /// missing or superfluous value.
    init(_ words: ArraySlice<String>, for command: any Command) throws {
        let options = command.options + [.help]
        var words = words
        while let word = words.popFirst() {
            if word == "--" {
                operands += words
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
            guard let option = options.first(where: { $0.isSpelled(parts[0]) }) else {
                throw UsageError("unknown option '\(parts[0])' for \(command.name)")
            }
            let value = try Self.take(option, attached: parts.count > 1 ? parts[1] : nil, from: &words)
            given[option.name, default: []].append(value)
        }
    }

    private static func take(
        _ option: Option, attached: String?, from words: inout ArraySlice<String>
    ) throws -> String {
        guard let placeholder = option.placeholder else {
            guard attached == nil else { throw UsageError("\(option.name) takes no value; write \(option.name) alone") }
            return ""
        }
        // A word that looks like an option is one: an option with a forgotten value must not consume it.
        let next = words.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
        guard let value = attached ?? next, !value.isEmpty else {
            throw UsageError("\(option.name) requires a value; write \(option.name) \(placeholder)")
        }
        if attached == nil { words.removeFirst() }
        return value
    }

    /// Returns whether an option was given.
    func has(_ option: Option) -> Bool { given[option.name] != nil }

    /// Returns all given values of a repeatable option, in order.
    func values(of option: Option) -> [String] { given[option.name] ?? [] }

    /// Returns the value of an option; nil if it was not given. If the option was given several times, the last value
    /// counts.
    func value(of option: Option) -> String? { given[option.name]?.last }

    /// Returns the value of an option as a whole number; nil if the option was not given. Throws `UsageError` if the
    /// value is not a number in `range`.
    func number(_ option: Option, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bounds =
                range.upperBound == .max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("\(option.name) takes a whole number \(bounds), not '\(text)'")
        }
        return number
    }
}
