#if COLOR
/// The channels of a profile's color space. A pixel always has four channels, of which these are the first.
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
