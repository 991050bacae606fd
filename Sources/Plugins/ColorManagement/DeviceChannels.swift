#if COLOR
/// The channels of a profile's color space. Every pixel in memory has four channels; the channels of the color space
/// are the first of them.
enum DeviceChannels {
    case gray
    case rgb
    case cmyk

    var count: Int {
        switch self {
        case .gray: 1
        case .rgb: 3
        case .cmyk: 4
        }
    }
}
#endif
