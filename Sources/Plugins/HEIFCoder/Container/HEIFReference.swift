#if HEIF
/// A reference from an item to other items. The type states the relation, for example that the item is made of the
/// other items (`dimg`).
struct HEIFReference {
    let type: FourCC
    /// The number of the item that has the reference.
    let source: Int
    /// The numbers of the referenced items, in order. For a grid, the order determines the positions of the tiles.
    let targets: [Int]
}
#endif
