extension Image {
    /// Returns the upright picture at 100 pixels a side or less, as rows of pixels with channels from 0 to 1.
    /// - Parameter isLinear: Whether pixels are averaged in linear light.
    func pixelsForHashing(isLinear: Bool) throws(ImageError) -> (size: PixelSize, colors: [SIMD4<Double>]) {
        // 100 pixels a side are enough: more pixels do not change a few waves across the picture.
        let small = try self.pixels.resampled(
            to: size.fitting(PixelSize(100, 100)), resampling: Resampling(filter: .box, linear: isLinear))
        let pixels = try small.converted(to: .rgba8, job: Job()).upright(from: attributes.orientation)
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
