extension EXIF {
    private static let artistTag = 0x013B
    private static let copyrightTag = 0x8298
    /// The tag of the offset of the Exif directory, which contains the camera's data.
    private static let detailsTag = 0x8769
    private static let pixelXDimensionTag = 0xA002
    private static let pixelYDimensionTag = 0xA003
    /// The types of a text field: ASCII, and UTF-8 since EXIF 3.0.
    private static let textTypes: Set = [2, 129]

    /// Returns a copy of an EXIF block with another orientation.
    ///
    /// An orientation in the block is overwritten. If the block contains none, `.up` changes nothing; any other
    /// orientation is written to a new first directory, which is appended. If the first directory is missing or
    /// incomplete, a new one is always appended. Existing contents are not moved.
    /// - Parameters:
    ///   - block: The block, with or without `Exif` and two zero bytes before it. A block that cannot be read is
    ///     replaced by ``block(for:)``.
    ///   - orientation: The new orientation.
    /// - Returns: The block from its byte order mark on.
    public static func block(_ block: Data, orientedAs orientation: Orientation) -> Data {
        guard var block = Block(block) else { return self.block(for: orientation) }
        let first = block.first
        let own = first?.entries.filter { $0.tag == orientationTag } ?? []
        let said = block.field(orientationTag, Int(orientation.rawValue), type: short)
        // A block without an orientation means upright.
        if first?.linkPlace != nil, !own.isEmpty || orientation == .up {
            for entry in own { block.replace(entry, by: said) }
        } else {
            // A directory has room for this number of entries and the new one, because its count has 16 bits.
            let kept = first?.entries.filter { $0.tag != orientationTag }.prefix(0xFFFE) ?? []
            block.replaceFirst(kept.map { block.field($0) } + [said])
        }
        return block.data
    }

    /// Returns a new EXIF block with only the author and the copyright holder of `block`; nil if it names neither.
    static func rights(of block: Data) -> Data? {
        guard let source = Block(block), let first = source.first else { return nil }
        var made = Block()
        var fields: [Block.Field] = []
        for tag in [artistTag, copyrightTag] {
            guard let entry = first.entries.first(where: { $0.tag == tag && textTypes.contains($0.type) }),
                let place = source.values(of: entry, byteCount: 1)
            else { continue }
            let text = Array(source.data[place])
            // Spaces stand for an unknown name.
            guard text.contains(where: { $0 != 0 && $0 != 0x20 }) else { continue }
            let ended = text.last == 0 ? text : text + [0]
            fields.append(made.field(tag, ended, type: entry.type, count: ended.count))
        }
        guard !fields.isEmpty else { return nil }
        made.replaceFirst(fields)
        return made.data
    }

    /// Returns a copy of an EXIF block for a changed picture. The thumbnail is removed, because it shows the earlier
    /// picture. A stored size is replaced by `pixelSize`. Returns nil if the bytes are not a block with a directory.
    static func block(_ block: Data, pixelSize: PixelSize) -> Data? {
        guard var block = Block(block), block.first != nil else { return nil }
        block.removeThumbnail()
        guard let first = block.first, let place = block.numbers(detailsTag, in: first).first,
            let details = block.directory(at: place)
        else { return block.data }
        for entry in details.entries {
            switch entry.tag {
            case pixelXDimensionTag: block.replace(entry, by: block.field(entry.tag, pixelSize.width))
            case pixelYDimensionTag: block.replace(entry, by: block.field(entry.tag, pixelSize.height))
            default: continue
            }
        }
        return block.data
    }
}
