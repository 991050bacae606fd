import Foundation

/// How two pictures differ: what a failing test says instead of all their samples.
package struct SampleDifference: Equatable {
    /// How many samples differ: all of them when the pictures have different sizes.
    package private(set) var count = 0
    /// The place of the first one, counted in samples.
    package private(set) var first: Int?
    /// How far the samples are apart where they are farthest.
    package private(set) var largest = 0
    /// The mean of the squares of the differences.
    package private(set) var meanSquare = 0.0

    /// The ratio of the most that can be to this, as decibels; infinite where there is no difference.
    package var decibels: Double { 10 * log10(255 * 255 / meanSquare) }

    /// No difference.
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
