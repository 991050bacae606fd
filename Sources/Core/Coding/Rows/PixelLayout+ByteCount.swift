extension PixelLayout {
    /// The memory that pixels of this layout take, in bytes, including the padding of rows. Saturates at `Int.max`.
    package var byteCount: Int {
        let (padded, overflow1) = rowByteCount.addingReportingOverflow(63)
        let (count, overflow2) = (padded & ~63).multipliedReportingOverflow(by: size.height)
        return overflow1 || overflow2 ? .max : count
    }
}
