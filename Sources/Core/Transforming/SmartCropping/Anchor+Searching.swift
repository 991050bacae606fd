extension Anchor {
    /// Returns where a part of a picture begins, at its top left, that shows this anchor as near to its middle as the
    /// edges allow. Looks for the anchor in the picture if it is not a fixed point.
    ///
    /// Throws `outOfMemory`, and `cancelled` or `timedOut` if the job ends.
    /// - Parameters:
    ///   - part: The size of the part, at most that of the picture.
    ///   - pixels: The picture.
    ///   - job: The job, which is checked while the picture is reduced and for each row of the reduced picture.
    package func origin(
        of part: (width: Double, height: Double), in pixels: PixelBuffer, job: Job
    ) throws(ImageError) -> (x: Double, y: Double) {
        let whole = (width: Double(pixels.width), height: Double(pixels.height))
        guard let search, part.width < whole.width || part.height < whole.height else {
            return origin(of: part, in: whole)
        }
        let map = try PictureMap(pixels, job: job)
        let (x, y) = (Double(map.width) / whole.width, Double(map.height) / whole.height)
        let window = (width: part.width * x, height: part.height * y)
        let found =
            switch search {
            case .attention: try AttentionMap(map).origin(of: window, job: job)
            case .entropy: try EntropyMap(map).origin(of: window, job: job)
            }
        return (min(found.x / x, whole.width - part.width), min(found.y / y, whole.height - part.height))
    }

    /// Returns where a part of a picture begins, in whole pixels. See ``origin(of:in:job:)-(_,PixelBuffer,_)``.
    package func origin(of part: PixelSize, in pixels: PixelBuffer, job: Job) throws(ImageError) -> (x: Int, y: Int) {
        let (x, y) = try origin(of: (Double(part.width), Double(part.height)), in: pixels, job: job)
        return (Int(x.rounded()), Int(y.rounded()))
    }
}
