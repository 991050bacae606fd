extension PixelLayout {
    /// Bytes of memory that such pixels take, padding included, as ``PixelBuffer/byteCount`` counts them; saturating.
    package var byteCount: Int {
        let (padded, overflow1) = rowByteCount.addingReportingOverflow(63)
        let (count, overflow2) = (padded & ~63).multipliedReportingOverflow(by: size.height)
        return overflow1 || overflow2 ? .max : count
    }
}
