#if COLOR
/// The channels of a pixel that contain the colors of a profile. They are the first of the pixel's four channels.
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
