/// A linear map of colors: each channel of the result is a weighted sum of red, green, blue and alpha, plus a constant.
///
/// Channels are encoded levels from 0 to 1, with straight alpha. Results outside 0 to 1 are limited in the integer
/// formats. Coefficients beyond a million count as a million.
public struct ColorMatrix: Hashable, Sendable {
    /// The 20 coefficients: for red, then green, blue and alpha of the result, the weights of red, green, blue and
    /// alpha, and the constant.
    public let coefficients: [Double]

    /// Creates a matrix.
    /// - Parameter coefficients: Exactly 20 numbers, row by row; another number of them is a programming error and
    ///   traps.
    public init(_ coefficients: [Double]) {
        precondition(coefficients.count == 20, "a color matrix has 20 coefficients, not \(coefficients.count)")
        self.coefficients = coefficients
    }

    /// Creates a matrix from the weights and constants of red, green and blue. Alpha is unchanged.
    ///
    /// Each array has exactly five numbers; another number of them is a programming error and traps.
    public init(red: [Double], green: [Double], blue: [Double]) {
        precondition([red, green, blue].allSatisfy { $0.count == 5 }, "each row of a color matrix has 5 coefficients")
        self.init(red + green + blue + [0, 0, 0, 1, 0])
    }

    /// The matrix that changes nothing.
    public static let identity = ColorMatrix(red: [1, 0, 0, 0, 0], green: [0, 1, 0, 0, 0], blue: [0, 0, 1, 0, 0])

    /// Returns the matrix that applies this one first, and then `next`. Levels between the two are not limited.
    public func followed(by next: ColorMatrix) -> ColorMatrix {
        var product: [Double] = []
        for row in 0..<4 {
            let weights = Array(next.coefficients[row * 5..<row * 5 + 5])
            for column in 0..<5 {
                var sum = column == 4 ? weights[4] : 0
                for channel in 0..<4 { sum += weights[channel] * coefficients[channel * 5 + column] }
                product.append(sum)
            }
        }
        return ColorMatrix(product)
    }

    /// Whether alpha is unchanged.
    var keepsAlpha: Bool { coefficients[15...].elementsEqual([0, 0, 0, 1, 0]) }

    /// Whether every result is gray.
    var makesGray: Bool {
        coefficients[0..<5].elementsEqual(coefficients[5..<10])
            && coefficients[5..<10].elementsEqual(coefficients[10..<15])
    }
}
