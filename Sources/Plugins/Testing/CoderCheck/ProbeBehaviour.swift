package import Calotype

/// How a ``ProbeSink`` treats the decoder that writes to it.
package struct ProbeBehaviour {
    /// What the memory for a row holds before it is lent.
    package var filling: UInt8 = 0
    /// Whether the memory for all rows at once holds the same, instead of zero.
    package var fillsWhole = false
    /// Whether planes are taken where they are offered.
    package var takesPlanes = false
    /// More pixels are refused before memory is taken for them, as the pipeline does.
    package var maxPixels = 1 << 24
    /// What is thrown instead of beginning.
    package var refusal: ImageError?
    /// What is thrown instead of answering whether planes are wanted.
    package var refusalOfPlanes: ImageError?
    /// Called before a row is taken, with its number; before all of them with 0, where they come at once.
    package var onRow: (_ y: Int) throws -> Void = { _ in }
    /// The decode's job, which the sink looks at as the pipeline does.
    package var job = Job()

    /// A sink that takes rows, whatever they are.
    package init() {}
}
