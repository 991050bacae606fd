extension Arguments {
    /// Returns the value of an option as a number of bytes. Throws `UsageError` if it is invalid.
    func byteCount(_ option: Option) throws -> Int? {
        guard let text = value(of: option) else { return nil }
        guard let count = Quantity.byteCount(text) else {
            throw UsageError("\(option.name) takes a size such as 200M, 1.5G or 64KiB, not '\(text)'")
        }
        return count
    }

    /// Returns the value of an option as a duration. Throws `UsageError` if it is invalid.
    func duration(_ option: Option) throws -> Duration? {
        guard let text = value(of: option) else { return nil }
        guard let duration = Quantity.duration(text) else {
            throw UsageError("\(option.name) takes a duration such as 30min, 12h, 7d or 2w, not '\(text)'")
        }
        return duration
    }
}
