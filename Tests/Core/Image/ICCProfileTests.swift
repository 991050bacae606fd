import Calotype
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ICCProfileTests {
    private typealias Primaries = ICCProfile.Primaries
    private typealias ToneCurve = ICCProfile.ToneCurve

    private static let p3 = Primaries(red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060])

    private func profile(
        _ primaries: Primaries = Self.p3, _ curve: ToneCurve = .sRGB, name: String = "Wide gamut"
    ) throws -> [UInt8] {
        [UInt8](try #require(ICCProfile(primaries, curve, name: name)).data)
    }

    private func number(_ bytes: [UInt8], at offset: Int) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private func text(_ bytes: [UInt8], at offset: Int) -> String {
        String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }

    /// Returns the ranges of the tags' contents.
    private func tags(_ bytes: [UInt8]) -> [String: Range<Int>] {
        var tags: [String: Range<Int>] = [:]
        for entry in 0..<number(bytes, at: 128) {
            let place = 132 + 12 * entry
            let start = number(bytes, at: place + 4)
            tags[text(bytes, at: place)] = start..<start + number(bytes, at: place + 8)
        }
        return tags
    }

    /// Returns the `s15Fixed16Number`s of a tag, after `skipped` bytes.
    private func numbers(_ bytes: [UInt8], _ tag: String, skipping skipped: Int = 8) throws -> [Double] {
        let body = try #require(tags(bytes)[tag])
        return stride(from: body.lowerBound + skipped, to: body.upperBound, by: 4).map {
            Double(Int32(truncatingIfNeeded: number(bytes, at: $0))) / 65536
        }
    }

    private func expect(_ numbers: [Double], near expected: [Double], within tolerance: Double) {
        #expect(numbers.count == expected.count)
        for (number, expected) in zip(numbers, expected) { #expect(abs(number - expected) <= tolerance) }
    }

    // MARK: Structure

    @Test func `the header is that of a display's profile`() throws {
        for (bytes, space) in [
            (try profile(), "RGB "), ([UInt8](ICCProfile(grayWith: .bt709, name: "Gray").data), "GRAY"),
        ] {
            #expect(number(bytes, at: 0) == bytes.count)
            #expect(bytes.count < 1000)
            #expect(number(bytes, at: 8) == 0x0440_0000)
            #expect(text(bytes, at: 12) == "mntr")
            #expect(text(bytes, at: 16) == space)
            #expect(text(bytes, at: 20) == "XYZ ")
            #expect(text(bytes, at: 36) == "acsp")
            // The white of every profile: D50.
            #expect((0..<3).map { number(bytes, at: 68 + 4 * $0) } == [0xF6D6, 0x10000, 0xD32D])
            #expect(bytes[80..<128].allSatisfy { $0 == 0 })
        }
    }

    @Test(arguments: ["", "a", "Two words", "PNG cICP 12/13"])
    func `tags follow the table, aligned to four bytes`(_ name: String) throws {
        let bytes = try profile(name: name)
        let tags = tags(bytes)
        let expected: Set = [
            "desc", "cprt", "wtpt", "chad", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC",
        ]
        #expect(Set(tags.keys) == expected)
        #expect(bytes.count.isMultiple(of: 4))
        for body in tags.values {
            #expect(body.lowerBound >= 132 + 12 * tags.count)
            #expect(body.upperBound <= bytes.count)
            #expect(body.lowerBound.isMultiple(of: 4))
        }
        let description = try #require(tags["desc"])
        #expect(text(bytes, at: description.lowerBound) == "mluc")
        let length = number(bytes, at: description.lowerBound + 20)
        let start = description.lowerBound + number(bytes, at: description.lowerBound + 24)
        let characters = stride(from: start, to: start + length, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        #expect(String(decoding: characters, as: UTF16.self) == name)
    }

    @Test func `a gray profile has one curve and no colorants`() throws {
        let bytes = [UInt8](ICCProfile(grayWith: .sRGB, name: "Gray").data)
        let expected: Set = ["desc", "cprt", "wtpt", "kTRC"]
        #expect(Set(tags(bytes).keys) == expected)
    }

    @Test func `equal colors give equal bytes`() throws {
        let first = try profile()
        let second = try profile()
        let other = try profile(.sRGB)
        #expect(first == second)
        #expect(first != other)
    }

    // MARK: Colors

    /// Primaries and the expected contents of their well-known profiles: red, green and blue relative to D50.
    struct Space: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let codePoint: UInt8
        let colorants: [[Double]]
    }

    static let spaces = [
        Space(
            testDescription: "sRGB", codePoint: 1,
            colorants: [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]]),
        Space(
            testDescription: "Display P3", codePoint: 12,
            colorants: [[0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]]),
        Space(
            testDescription: "BT.2020", codePoint: 9,
            colorants: [[0.6735, 0.2790, -0.0019], [0.1657, 0.6753, 0.0300], [0.1251, 0.0456, 0.7969]]),
    ]

    @Test(arguments: ICCProfileTests.spaces)
    func `colorants equal those of common profiles`(_ space: Space) throws {
        let bytes = try profile(#require(Primaries(codePoint: space.codePoint)))
        for (tag, expected) in zip(["rXYZ", "gXYZ", "bXYZ"], space.colorants) {
            // Four digits, from white points that differ in the fifth.
            try expect(numbers(bytes, tag), near: expected, within: 0.0003)
        }
        try expect(
            numbers(bytes, "chad"),
            near: [1.0479, 0.0229, -0.0502, 0.0296, 0.9905, -0.0171, -0.0092, 0.0151, 0.7517], within: 0.0003)
    }

    @Test(arguments: [1, 5, 6, 9, 11, 12] as [UInt8])
    func `the colorants add up exactly to white`(_ codePoint: UInt8) throws {
        let bytes = try profile(#require(Primaries(codePoint: codePoint)))
        let colors: [[Double]] = try ["rXYZ", "gXYZ", "bXYZ"].map { try numbers(bytes, $0) }
        let sums = (0..<3).map { (index: Int) -> Double in
            let sum: Double = colors[0][index] + colors[1][index] + colors[2][index]
            return sum * 65536
        }
        let expected: [Double] = [0xF6D6, 0x10000, 0xD32D]
        #expect(sums == expected)
        let white = try numbers(bytes, "wtpt").map { (number: Double) -> Double in number * 65536 }
        #expect(white == sums)
    }

    @Test func `the cinema white point is adapted to D50`() throws {
        let bytes = try profile(#require(Primaries(codePoint: 11)))
        let matrix = try numbers(bytes, "chad")
        let (x, y): (Double, Double) = (0.314, 0.351)
        let white: [Double] = [x / y, 1, (1 - x - y) / y]
        let adapted = (0..<3).map { (row: Int) -> Double in
            var sum = 0.0
            for column in 0..<3 { sum += matrix[3 * row + column] * white[column] }
            return sum
        }
        expect(adapted, near: [0.9642, 1, 0.8249], within: 0.0001)
    }

    @Test func `primaries without area, or with white outside, are rejected`() {
        let point: SIMD2<Double> = [0.3127, 0.3290]
        let senseless = [
            Primaries(red: [0, 0], green: [0, 0], blue: [0, 0], white: [0, 0]),
            Primaries(red: point, green: point, blue: point),
            Primaries(red: [0.1, 0.1], green: [0.3, 0.3], blue: [0.5, 0.5]),
            Primaries(red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06], white: [0.6, 0.6]),
            Primaries(red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06], white: [0.3, 0]),
            Primaries(red: [0.64, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06], white: [.nan, .nan]),
            Primaries(red: [.infinity, 0.33], green: [0.30, 0.60], blue: [0.15, 0.06]),
            Primaries(red: [21474, -21474], green: [-21474, 21474], blue: [-21474, -21474]),
            // A triangle around its white, which is at the end of the spectral locus.
            Primaries(red: [0.9, 0], green: [0.6, 0.4], blue: [0.6, 0], white: [0.7, 0.00001]),
        ]
        for primaries in senseless { #expect(ICCProfile(primaries, .sRGB, name: "") == nil) }
    }

    @Test func `an imaginary primary is accepted`() throws {
        // ACES AP0 of SMPTE ST 2065-1: blue is outside the diagram.
        let primaries = Primaries(
            red: [0.7347, 0.2653], green: [0, 1], blue: [0.0001, -0.077], white: [0.32168, 0.33767])
        let blue = try numbers(profile(primaries), "bXYZ")
        #expect(blue[1] < 0)
    }

    // MARK: Curves

    @Test func `tone curves are powers, or linear near black`() throws {
        let curves: [(tag: String, curve: ToneCurve?, numbers: [Double])] = [
            // IEC 61966-2-1.
            ("rTRC", .sRGB, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]),
            // ITU-R BT.709, with the digits of ITU-T H.273.
            ("gTRC", .bt709, [2.22222, 0.909672, 0.090328, 0.222222, 0.081243]),
            ("bTRC", ToneCurve(exponent: 2.2), [2.2]),
            ("bTRC", ToneCurve(codePoint: 8), [1]),
        ]
        for (tag, curve, expected) in curves {
            let bytes = try profile(Self.p3, #require(curve))
            let body = try #require(tags(bytes)[tag])
            #expect(text(bytes, at: body.lowerBound) == "para")
            #expect(number(bytes, at: body.lowerBound + 8) == (expected.count == 1 ? 0 : 3) << 16)
            try expect(numbers(bytes, tag, skipping: 12), near: expected, within: 0.00001)
        }
    }

    @Test func `an exponent outside the supported range is rejected`() {
        let exponents: [Double] = [0, -1, 0.09, 10.1, .infinity, -.infinity, .nan]
        for exponent in exponents { #expect(ToneCurve(exponent: exponent) == nil) }
        #expect(ToneCurve(exponent: 0.1) != nil)
        #expect(ToneCurve(exponent: 10) != nil)
    }

    @Test func `code points are either known or rejected`() {
        let known: Set<UInt8> = [1, 5, 6, 9, 11, 12]
        #expect(Set((0...255).filter { Primaries(codePoint: $0) != nil }) == known)
        // Not 16 (PQ) and 18 (HLG), which encode light beyond white.
        let curves: Set<UInt8> = [1, 4, 5, 6, 8, 13, 14, 15]
        #expect(Set((0...255).filter { ToneCurve(codePoint: $0) != nil }) == curves)
        #expect(Primaries(codePoint: 1) == .sRGB)
        #expect(ToneCurve(codePoint: 13) == .sRGB)
    }
}
