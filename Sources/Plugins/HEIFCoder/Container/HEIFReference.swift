#if HEIF
/// A reference from an item to others, which it consists of, describes or represents.
struct HEIFReference {
    let type: FourCC
    /// The number of the referencing item.
    let source: Int
    /// The numbers of the referenced items, in an order that may matter.
    let targets: [Int]
}
#endif
