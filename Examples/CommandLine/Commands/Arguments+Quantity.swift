extension Arguments {
    /// Returns the value of an option as a number of bytes; nil if the option was not given. Throws `UsageError` if the
    /// value is invalid.
    func byteCount(_ option: Option) throws -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let count = Quantity.byteCount(text) else {
            throw UsageError("\(option.name) takes a size such as 200M, 1.5G or 64KiB, not '\(text)'")
        }
        return count
    }

    /// Returns the value of an option as a duration; nil if the option was not given. Throws `UsageError` if the value
    /// is invalid.
    func duration(_ option: Option) throws -> Duration? {
        guard let text = value(of: option) else { return nil }
        guard let duration = Quantity.duration(text) else {
            throw UsageError("\(option.name) takes a duration such as 30min, 12h, 7d or 2w, not '\(text)'")
        }
        return duration
    }
}
