#if HEIF
/// A reference from an item to others: it is made of them, describes them, or stands for them.
struct HEIFReference {
    let type: FourCC
    /// The number of the item that refers to others.
    let source: Int
    /// The numbers of the others, in an order that may matter.
    let targets: [Int]
}
#endif
