#if HEIF
/// A part of a file that has a number: a picture, or something that is said of one.
struct HEIFItem {
    let type: FourCC
    /// The media type of an item of the type `mime`; else empty.
    let contentType: String
    /// The compression of that item; empty for none.
    let contentEncoding: String
    /// The location of its bytes.
    var location = Location.nowhere
    /// The properties that it has, in their order.
    var properties: [Association] = []

    /// A property of an item.
    struct Association {
        /// Its place in the list of properties, from 1 on.
        let place: Int
        /// Whether a reader that does not understand it must not show the item.
        let isEssential: Bool
    }

    /// The location of an item's bytes.
    enum Location {
        /// A location that the file does not tell.
        case nowhere
        /// The data is in ranges of the file, one behind the other.
        case file([Range<Int>])
        /// A place that this reader does not support, with the reason.
        case elsewhere(String)
    }
}
#endif
