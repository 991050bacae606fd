package import Calotype

/// The behavior of a ``ProbeSink``.
package struct ProbeBehavior {
    /// The value with which the memory of each row is filled before the decoder writes the row.
    package var filling: UInt8 = 0
    /// Whether the memory for a call of `whole`, which delivers all rows at once, is filled with ``filling`` too. If
    /// false, this memory is filled with zeros.
    package var fillsWhole = false
    /// Whether the sink accepts planes if they are offered.
    package var takesPlanes = false
    /// The maximum number of pixels. The sink refuses larger images before it allocates memory, as the pipeline does.
    package var maxPixels = 1 << 24
    /// The error that the sink throws when the decoder calls `begin`; nil for none.
    package var refusal: ImageError?
    /// The error that the sink throws when the decoder offers planes; nil for none.
    package var refusalOfPlanes: ImageError?
    /// A closure that is called before the sink accepts a row, all rows at once, or several rows of a plane. Its
    /// argument is the number of the first of these rows.
    package var onRow: (_ y: Int) throws -> Void = { _ in }
    /// The job of the decode, which the sink checks as the pipeline does.
    package var job = Job()

    /// Creates the behavior of a sink that accepts all rows.
    package init() {}
}
