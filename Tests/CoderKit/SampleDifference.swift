import Foundation

/// The difference of two pictures, which a failing test prints instead of all samples.
package struct SampleDifference: Equatable {
    /// The number of different samples; all of them if the pictures have different sizes.
    package private(set) var count = 0
    /// The index of the first different sample.
    package private(set) var first: Int?
    /// The largest difference of a sample.
    package private(set) var largest = 0
    /// The mean squared difference.
    package private(set) var meanSquare = 0.0

    /// The peak signal-to-noise ratio in decibels; infinite for equal pictures.
    package var decibels: Double { 10 * log10(255 * 255 / meanSquare) }

    /// The absence of a difference.
    package static let zero = SampleDifference()

    private init() {}

    package init(_ one: [UInt8], _ other: [UInt8]) {
        guard one != other else { return }
        guard one.count == other.count else {
            count = max(one.count, other.count)
            largest = 255
            meanSquare = .infinity
            return
        }
        var sum = 0
        for index in one.indices where one[index] != other[index] {
            let difference = abs(Int(one[index]) - Int(other[index]))
            count += 1
            first = first ?? index
            largest = max(largest, difference)
            sum += difference * difference
        }
        meanSquare = Double(sum) / Double(max(1, one.count))
    }
}
