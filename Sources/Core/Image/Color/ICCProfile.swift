/// An ICC profile that is made from color parameters: a tone curve and, for colors, the primaries and the white point.
///
/// The profiles are three-component matrix-based or monochrome display profiles. Equal parameters give equal bytes: the
/// date is fixed, and the optional profile ID is zero. Source: ICC.1:2022 (version 4.4).
package struct ICCProfile: Sendable, Hashable {
    private static let headerByteCount = 128

    private let name: String
    private let curve: ToneCurve
    /// The primaries; nil for gray.
    private let colorants: Colorants?

    /// Creates a profile for gray.
    /// - Parameter name: The name of the profile that applications show, in ASCII.
    package init(grayWith curve: ToneCurve, name: String) {
        self.name = name
        self.curve = curve
        colorants = nil
    }

    /// Creates a profile for red, green and blue. Returns nil if the primaries are invalid.
    /// - Parameters:
    ///   - curve: The curve of all three channels.
    ///   - name: The name of the profile that applications show, in ASCII.
    package init?(_ primaries: Primaries, _ curve: ToneCurve, name: String) {
        guard let colorants = Colorants(primaries) else { return nil }
        self.name = name
        self.curve = curve
        self.colorants = colorants
    }

    /// The bytes of the profile: about 500 for colors or 300 for gray, plus two for each character of the name.
    package var data: Data {
        var tags: [(name: String, body: [UInt8])] = [
            ("desc", Self.text(name)), ("cprt", Self.text("Public domain")), ("wtpt", Self.xyz(Colorants.d50)),
        ]
        if let colorants {
            tags += [
                ("chad", Self.element("sf32", colorants.adaptation.flatMap(Self.bigEndian))),
                ("rXYZ", Self.xyz(colorants.red)), ("gXYZ", Self.xyz(colorants.green)),
                ("bXYZ", Self.xyz(colorants.blue)),
                ("rTRC", curve.element), ("gTRC", curve.element), ("bTRC", curve.element),
            ]
        } else {
            tags.append(("kTRC", curve.element))
        }

        let start = Self.headerByteCount + 4 + 12 * tags.count
        var table = Self.bigEndian(Int32(tags.count))
        var bodies: [UInt8] = []
        var places: [[UInt8]: Int] = [:]
        for (name, body) in tags {
            // Equal tags share one body. All bodies are multiples of four bytes, as offsets must be.
            let place = places[body] ?? start + bodies.count
            if places.updateValue(place, forKey: body) == nil { bodies += body }
            table += Array(name.utf8) + Self.bigEndian(Int32(place)) + Self.bigEndian(Int32(body.count))
        }
        return Data(header(byteCount: start + bodies.count) + table + bodies)
    }

    private func header(byteCount: Int) -> [UInt8] {
        var header = Self.bigEndian(Int32(byteCount))
        header += [0, 0, 0, 0, 4, 0x40, 0, 0]  // no preferred module; version 4.4
        header += Array((colorants == nil ? "mntrGRAYXYZ " : "mntrRGB XYZ ").utf8)
        header += [0x07, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]  // 2024-01-01, 00:00:00
        header += Array("acsp".utf8)
        // No platform, flags, manufacturer, model or attributes; the intent is perceptual.
        header += [UInt8](repeating: 0, count: 28)
        header += Colorants.d50.flatMap(Self.bigEndian)
        return header + [UInt8](repeating: 0, count: Self.headerByteCount - header.count)
    }

    /// Returns the body of a tag: its type, followed by its content.
    static func element(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Array(type.utf8) + [0, 0, 0, 0] + content
    }

    static func bigEndian(_ number: Int32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Returns a number as an `s15Fixed16Number`.
    static func fixed(_ number: Double) -> Int32 {
        Int32((number * 65536).rounded())
    }

    private static func xyz(_ numbers: [Int32]) -> [UInt8] {
        element("XYZ ", numbers.flatMap(bigEndian))
    }

    /// Returns the body of a tag with an English text, in UTF-16.
    private static func text(_ text: String) -> [UInt8] {
        let characters = text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        // The body has one record of 12 bytes. The characters begin 28 bytes from the start of the body.
        let records = bigEndian(1) + bigEndian(12) + Array("enUS".utf8)
        let place = bigEndian(Int32(characters.count)) + bigEndian(28)
        let padding = [UInt8](repeating: 0, count: -characters.count & 3)
        return element("mluc", records + place + characters + padding)
    }
}
