extension URL {
    /// The scale, from 1 to 100, that the file name has directly before its extension: 2 for `cat@2x.png`, 1.5 for
    /// `cat@1.5x.jpg`. Nil if the name has no scale there.
    var scaleFactorOfName: Double? {
        // A data URI has no file name, and can be megabytes long.
        guard !isDataURI else { return nil }
        let path = path(percentEncoded: true)
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        guard let end = name.lastIndex(of: "."), name[..<end].last == "x" else { return nil }
        let stem = name[..<end].dropLast()
        guard let mark = stem.lastIndex(where: { !"0123456789.".contains($0) }) else { return nil }
        var number = stem[stem.index(after: mark)...]
        if stem[mark] == "%", number.hasPrefix("40") {
            // An escaped `@`.
            number = number.dropFirst(2)
        } else if stem[mark] != "@" {
            return nil
        }
        guard number.first != ".", number.last != ".", let scale = Double(number), (1...100).contains(scale) else {
            return nil
        }
        return scale
    }
}
