package import Calotype

/// The behavior of a ``ProbeSink``.
package struct ProbeBehavior {
    /// The initial value of the bytes of a row's memory.
    package var filling: UInt8 = 0
    /// Whether the memory for all rows at once has the same initial value instead of zero.
    package var fillsWhole = false
    /// Whether the sink accepts planes if they are offered.
    package var takesPlanes = false
    /// The maximum number of pixels. The sink refuses larger images before it allocates memory, as the pipeline does.
    package var maxPixels = 1 << 24
    /// The error that the sink throws at the beginning; nil for none.
    package var refusal: ImageError?
    /// The error that the sink throws when planes are offered; nil for none.
    package var refusalOfPlanes: ImageError?
    /// A closure that is called with the number of each row before the row is taken. It is called with 0 if all rows
    /// come at once.
    package var onRow: (_ y: Int) throws -> Void = { _ in }
    /// The job of the decode, which the sink checks as the pipeline does.
    package var job = Job()

    /// Creates the behavior of a sink that accepts all rows.
    package init() {}
}
