package import Calotype

/// The treatment of a decoder by a ``ProbeSink``.
package struct ProbeBehaviour {
    /// The contents of a row's memory before it is lent.
    package var filling: UInt8 = 0
    /// Whether the memory for all rows at once holds the same, instead of zero.
    package var fillsWhole = false
    /// Whether planes are taken where they are offered.
    package var takesPlanes = false
    /// More pixels are refused before memory is taken for them, as the pipeline does.
    package var maxPixels = 1 << 24
    /// The error that is thrown instead of beginning.
    package var refusal: ImageError?
    /// The error that is thrown instead of answering whether planes are wanted.
    package var refusalOfPlanes: ImageError?
    /// Called before a row is taken, with its number; before all of them with 0, where they come at once.
    package var onRow: (_ y: Int) throws -> Void = { _ in }
    /// The decode's job, which the sink looks at as the pipeline does.
    package var job = Job()

    /// A sink that takes rows, whatever they are.
    package init() {}
}
