#if COLOR
/// The channels of a profile's color space. Each pixel has four channels: a gray profile uses the first, an RGB profile
/// the first three, and a CMYK profile all four.
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
