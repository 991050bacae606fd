#if GIF
import Calotype

extension ColorHistogram {
    /// Adds the colors of all drawn pixels of a region.
    mutating func add(_ change: GIFChange, job: Job) throws(ImageError) {
        var row = change.row
        for y in change.rowRange {
            try job.check()
            change.readColors(y, into: &row)
            add(row)
        }
    }
}
#endif
