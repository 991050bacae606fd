/// A resampler that turns the rows of a picture into the rows of a smaller or larger one, while they arrive. It keeps
/// only the source rows that the filter spans, resampled to the width of the target. Used by one thread at a time.
protocol RowResampler: AnyObject {
    /// Takes the next source row, from the top, and writes every target row that can be made now. Throws `cancelled` or
    /// `timedOut` if the job ends.
    func push(_ row: UnsafeRawPointer) throws(ImageError)
    /// Writes the remaining target rows after the last source row. Throws `cancelled` or `timedOut` if the job ends.
    func finish() throws(ImageError)
}
