#if HEIF
/// A reference from an item to other items. Its type tells the relation, for example that the item is made of the
/// others or describes them.
struct HEIFReference {
    let type: FourCC
    /// The number of the item that has the reference.
    let source: Int
    /// The numbers of the referenced items, in order. The tiles of a grid depend on the order.
    let targets: [Int]
}
#endif
