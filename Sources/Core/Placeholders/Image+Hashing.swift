extension Image {
    /// The picture upright, as small as it may be hashed, row after row with each channel as 0...1.
    /// - Parameter isLinear: Whether it is light that is averaged where the picture is made smaller, and not levels.
    func pixelsForHashing(isLinear: Bool) throws(ImageError) -> (size: PixelSize, colors: [SIMD4<Double>]) {
        // A few waves across the picture are no others in more pixels.
        let small = try self.pixels.resampled(
            to: size.fitting(PixelSize(100, 100)), resampling: Resampling(filter: .box, linear: isLinear))
        let pixels = try small.eightBit(job: Job()).upright(from: attributes.orientation)
        var colors: [SIMD4<Double>] = []
        colors.reserveCapacity(pixels.size.area)
        for y in 0..<pixels.height {
            pixels.withRow(y) { (row: RawSpan) -> Void in
                for x in 0..<pixels.width {
                    let levels = row.unsafeLoad(fromByteOffset: x * 4, as: SIMD4<UInt8>.self)
                    colors.append(SIMD4<Double>(levels) / 255)
                }
            }
        }
        return (pixels.size, colors)
    }
}
