#if HEIF
/// A numbered item of a file: a picture or metadata of one.
struct HEIFItem {
    let type: FourCC
    /// The media type of an item of the type `mime`; empty for other types.
    let contentType: String
    /// The compression of such an item; empty for none.
    let contentEncoding: String
    /// The location of the item's bytes.
    var location = Location.nowhere
    /// The associated properties, in order.
    var properties: [Association] = []

    /// A property of an item.
    struct Association {
        /// The index in the list of properties, beginning with 1.
        let place: Int
        /// Whether a reader that does not support the property must not show the item.
        let isEssential: Bool
    }

    /// The location of an item's bytes.
    enum Location {
        /// The file does not specify a location.
        case nowhere
        /// The bytes are in consecutive ranges of the file.
        case file([Range<Int>])
        /// The reader does not support the location. The reason is given.
        case elsewhere(String)
    }
}
#endif
