#if COLOR
/// The channels of a profile's color space. They are the first one, three or four of the four channels of a pixel.
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
