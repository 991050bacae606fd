#if HEIF
/// An item of a file: a picture, or metadata that describe a picture. Items are identified by numbers.
struct HEIFItem {
    let type: FourCC
    /// The media type of an item of the type `mime`; empty for other types.
    let contentType: String
    /// The compression of an item of the type `mime`; empty if the item is not compressed.
    let contentEncoding: String
    /// The location of the item's bytes.
    var location = Location.nowhere
    /// The associated properties, in the order in which they are applied.
    var properties: [Association] = []

    /// An association of an item with a property.
    struct Association {
        /// The position of the property in the file's list of properties, counted from 1; 0 means no property.
        let place: Int
        /// Whether a reader that does not support the property must not show the item.
        let isEssential: Bool
    }

    /// A location of an item's bytes.
    enum Location {
        /// The file does not specify a location.
        case nowhere
        /// The bytes are in these ranges of the file, in order.
        case file([Range<Int>])
        /// The coder does not support the location. The text is the reason.
        case elsewhere(String)
    }
}
#endif
