extension PixelLayout {
    /// The bytes of memory that such pixels take, including padding, as in ``PixelBuffer/byteCount``; saturates at
    /// `Int.max`.
    package var byteCount: Int {
        let (padded, overflow1) = rowByteCount.addingReportingOverflow(63)
        let (count, overflow2) = (padded & ~63).multipliedReportingOverflow(by: size.height)
        return overflow1 || overflow2 ? .max : count
    }
}
