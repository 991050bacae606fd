/// The text form of a record, which is stored beside the body: `1;s=200;t=1764151200.25;a=0;d=1764151200;c=max-age=60`.
/// The text begins with the version of the form. Fields that are nil are left out.
extension HTTPCacheRecord {
    private static let version = "1"
    /// The maximum length of a text in bytes. No valid text is longer.
    private static let longestText = 512

    var text: String {
        let fields = [
            ("s", String(status)), ("t", receivedAt.contextText), ("a", initialAge.contextText),
            ("d", date.contextText), ("e", expires?.contextText), ("m", lastModified?.contextText), ("g", strongTag),
            ("v", vary?.text), ("c", control?.text),
        ]
        return ([Self.version] + fields.compactMap { name, value in value.map { "\(name)=\($0)" } })
            .joined(separator: ";")
    }

    /// Creates a record from its text form. Returns nil if no record has this ``text``.
    init?(text: String) {
        guard text.utf8.count <= Self.longestText else { return nil }
        var values: [Substring: Substring] = [:]
        for part in text.split(separator: ";") {
            guard let mark = part.firstIndex(of: "=") else { continue }
            values[part[..<mark]] = part[part.index(after: mark)...]
        }
        func number(_ name: Substring) -> Double? {
            values[name].flatMap { Double($0) }.flatMap { abs($0) <= HTTPDate.last ? $0 : nil }
        }
        guard let status = values["s"].flatMap({ Int($0) }), let receivedAt = number("t"), let age = number("a"),
            age >= 0, let date = number("d")
        else { return nil }
        self.status = status
        self.receivedAt = receivedAt
        initialAge = age
        self.date = date
        expires = number("e")
        lastModified = number("m")
        strongTag = values["g"].map { String($0) }
        vary = values["v"].flatMap { Vary(text: $0) }
        control = values["c"].map { CacheControl(String($0)) }
        // A text with unknown or repeated fields is not of this form.
        guard self.text == text else { return nil }
    }
}
