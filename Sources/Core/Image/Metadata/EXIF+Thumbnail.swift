extension EXIF {
    /// Returns the thumbnail in an EXIF block as the data of a JPEG file. Returns nil if there is no JPEG thumbnail.
    /// - Parameter block: The block, with or without `Exif` and two zero bytes before it.
    public static func thumbnail(of block: Data) -> Data? {
        guard let block = Block(block), let second = block.second,
            let place = block.numbers(Block.thumbnailTag, in: second).first,
            let count = block.numbers(Block.thumbnailByteCountTag, in: second).first,
            count > 0, place <= block.data.count - count
        else { return nil }
        let thumbnail = Data(block.data[place..<place + count])
        return ImageFormat.jpeg.matches(thumbnail.bytes) ? thumbnail : nil
    }

    /// Returns a copy of an EXIF block with a new thumbnail instead of the old one.
    /// - Parameters:
    ///   - block: The block, with or without `Exif` and two zero bytes before it. If it is nil or cannot be read, a new
    ///     block is made, which states that the picture is stored upright.
    ///   - thumbnail: A JPEG file without metadata, stored in the same orientation as the picture. A thumbnail of more
    ///     than 1 GiB is left out. In a JPEG file, the whole block must fit into 65,527 bytes.
    /// - Returns: The block from its byte order mark on.
    public static func block(_ block: Data?, thumbnail: Data) -> Data {
        var made = block.flatMap { Block($0) } ?? Block()
        made.removeThumbnail()
        if thumbnail.count <= Block.byteCountLimit { made.addThumbnail(thumbnail) }
        return made.data
    }
}

extension EXIF.Block {
    /// The tag JPEGInterchangeFormat: the offset of the thumbnail.
    static let thumbnailTag = 0x0201
    /// The tag JPEGInterchangeFormatLength: the number of bytes of the thumbnail.
    static let thumbnailByteCountTag = 0x0202
    /// The tag StripOffsets: the offsets of the parts of an uncompressed thumbnail.
    private static let stripsTag = 0x0111
    /// The tag StripByteCounts: the numbers of bytes of the parts of an uncompressed thumbnail.
    private static let stripByteCountsTag = 0x0117

    /// Removes the thumbnail and the link to its directory. The bytes of the thumbnail are erased, because they may
    /// show parts that were cropped from the picture.
    mutating func removeThumbnail() {
        if let second {
            erase(Self.thumbnailTag, Self.thumbnailByteCountTag, of: second)
            erase(Self.stripsTag, Self.stripByteCountsTag, of: second)
        }
        link(to: 0)
    }

    /// Erases the parts of a thumbnail. The entries with the given tags contain the offsets and the byte counts of the
    /// parts.
    private mutating func erase(_ placesTag: Int, _ countsTag: Int, of directory: Directory) {
        // Parts that together exceed the block must overlap, so they are no thumbnail. Erasing the rest would only take
        // time.
        var budget = data.count
        for (place, count) in zip(numbers(placesTag, in: directory), numbers(countsTag, in: directory)) {
            guard count <= budget else { return }
            budget -= count
            erase(from: place, count: count)
        }
    }

    /// Adds a thumbnail, and the entries that it requires, to a block without one. Source: EXIF 2.32, section 4.6.8.
    mutating func addThumbnail(_ picture: Data) {
        if first?.linkPlace == nil {
            let kept = first?.entries.prefix(0xFFFF).map { field($0) } ?? []
            let upright = field(EXIF.orientationTag, Int(Orientation.up.rawValue), type: EXIF.short)
            replaceFirst(kept.isEmpty ? [upright] : kept)
        }
        var fields = [
            field(0x0103, 6, type: EXIF.short),  // Compression: JPEG
            field(0x011A, 72, over: 1), field(0x011B, 72, over: 1),  // XResolution, YResolution
            field(0x0128, 2, type: EXIF.short),  // ResolutionUnit: inches
            field(Self.thumbnailByteCountTag, picture.count),
        ]
        // The directory is appended next, and the thumbnail follows it. The fractions above have made the offset even.
        let place = data.count + Self.byteCount(ofDirectoryWith: fields.count + 1)
        fields.append(field(Self.thumbnailTag, place))
        link(to: append(fields, next: 0))
        append(Array(picture))
    }
}
