#if PNG
import Foundation
import Testing

/// An ICC matrix or gray profile with parametric curves, computed in full precision.
struct MatrixProfile {
    let isGray: Bool

    private let bytes: [UInt8]

    init(_ data: Data) {
        bytes = [UInt8](data)
        isGray = bytes[16..<20].elementsEqual("GRAY".utf8)
    }

    /// Returns the D50 XYZ of red, green and blue, or of a gray for each.
    func xyz(_ color: [Double]) throws -> [Double] {
        guard !isGray else {
            let light = try light(color[0], "kTRC")
            return try fixed(#require(tag("wtpt")).dropFirst(8)).map { $0 * light }
        }
        var sum = [0.0, 0.0, 0.0]
        for (value, letter) in zip(color, ["r", "g", "b"]) {
            let light = try light(value, letter + "TRC")
            let primary = try fixed(#require(tag(letter + "XYZ")).dropFirst(8))
            for index in 0..<3 { sum[index] += light * primary[index] }
        }
        return sum
    }

    /// Evaluates a `parametricCurveType` of ICC.1:2022.
    private func light(_ value: Double, _ name: String) throws -> Double {
        let curve = try #require(tag(name))
        try #require(curve.prefix(4).elementsEqual("para".utf8))
        let numbers = fixed(curve.dropFirst(12))
        switch curve[curve.startIndex + 9] {
        case 0:
            return pow(value, numbers[0])
        case 3:
            return value >= numbers[4] ? pow(numbers[1] * value + numbers[2], numbers[0]) : numbers[3] * value
        default:
            throw UnknownFunction()
        }
    }

    private struct UnknownFunction: Error {}

    private func tag(_ name: String) -> ArraySlice<UInt8>? {
        for entry in 0..<number(bytes[128..<132]) {
            let place = bytes[(132 + 12 * entry)...].prefix(12)
            guard place.prefix(4).elementsEqual(name.utf8) else { continue }
            return bytes[number(place.dropFirst(4).prefix(4))...].prefix(number(place.suffix(4)))
        }
        return nil
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// Reads `s15Fixed16Number`s.
    private func fixed(_ bytes: ArraySlice<UInt8>) -> [Double] {
        stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).map {
            Double(Int32(truncatingIfNeeded: number(bytes[$0..<$0 + 4]))) / 65536
        }
    }
}
#endif
