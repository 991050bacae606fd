#if COLOR
/// The channels of a profile's color space. A pixel in memory always has four channels. The first one, three or four of
/// them contain the channels of the color space.
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
