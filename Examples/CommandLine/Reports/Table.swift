/// Formats text in columns.
enum Table {
    /// Returns a line for each row, indented by `indent` spaces. Each column is as wide as its longest cell.
    static func text(_ rows: [[String]], indent: Int = 2) -> String {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], cell.count)
            }
        }
        let lines = rows.map { row in
            let cells = row.enumerated().map { index, cell in
                index == row.count - 1 ? cell : cell.padded(to: widths[index])
            }
            return String(repeating: " ", count: indent) + cells.joined(separator: "  ")
        }
        return lines.joined(separator: "\n")
    }
}

extension String {
    /// Returns the text, padded with trailing spaces to at least `width` characters.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// Returns the text, padded with leading spaces to at least `width` characters.
    func aligned(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

    /// The text with each control character replaced by a question mark, so that it stays in one line. Names of files
    /// can contain any characters.
    var printable: String {
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            scalars.append(isControl ? Unicode.Scalar(UInt8(ascii: "?")) : scalar)
        }
        return String(scalars)
    }
}
