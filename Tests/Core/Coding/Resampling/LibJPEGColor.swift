/// The color conversion of libjpeg from Y, Cb and Cr: in integers, with the contributions of Cb and Cr rounded to whole
/// levels.
///
/// Source: libjpeg's jdcolor.c, `build_ycc_rgb_table` and `ycc_rgb_convert`.
enum LibJPEGColor {
    private static let redness = fixed(1.40200)
    private static let blueness = fixed(1.77200)
    private static let greenOfBlueness = fixed(0.34414)
    private static let greenOfRedness = fixed(0.71414)

    private static func fixed(_ factor: Double) -> Int { Int(factor * 65_536 + 0.5) }

    /// Returns the contribution of Cr to red.
    static func red(_ cr: Int) -> Int { (redness * (cr - 128) + 32_768) >> 16 }

    /// Returns the contribution of Cb and Cr to green.
    static func green(_ cb: Int, _ cr: Int) -> Int {
        (-greenOfBlueness * (cb - 128) - greenOfRedness * (cr - 128) + 32_768) >> 16
    }

    /// Returns the contribution of Cb to blue.
    static func blue(_ cb: Int) -> Int { (blueness * (cb - 128) + 32_768) >> 16 }

    /// Returns red, green and blue, 0...255.
    static func color(_ y: Int, _ cb: Int, _ cr: Int) -> [Int] {
        [y + red(cr), y + green(cb, cr), y + blue(cb)].map { min(max($0, 0), 255) }
    }
}
