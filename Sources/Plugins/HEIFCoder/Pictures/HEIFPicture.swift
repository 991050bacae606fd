#if HEIF
import Calotype

/// A picture in a HEIF file, coded as a single stream or as a grid of tiles.
///
/// Source: ISO/IEC 23008-12:2022, section 6.6.2.
struct HEIFPicture {
    /// The size in pixels before all transformations.
    let size: PixelSize
    /// The header that the streams of all tiles must have.
    let header: StreamHeader
    let columnCount: Int
    /// The tiles, row by row. A picture without a grid has one tile.
    let tiles: [CodedPicture]
    /// The properties of the picture's item.
    let properties: HEIFProperties
    /// The transformations that are applied before the picture is shown, in order.
    let transformations: [HEIFTransformation]

    /// The maximum length of a chain of identity items. Each identity item shows the picture of another item.
    private static let maxDepth = 4
    /// The maximum number of tiles. With the usual 512 x 512 pixels, they suffice for a picture of a billion pixels.
    private static let maxTileCount = 4_096
    /// The number of bytes that a grid's tiles and their decoder configurations may have in addition to twice the
    /// length of the file. Their total can exceed the length of the file, because tiles can share bytes.
    private static let maxRepeatedByteCount = 1 << 20

    /// Throws `limitExceeded` if the coded pixels, including invisible ones, exceed the limits in `options`.
    func checkLimits(_ options: DecodeOptions) throws(ImageError) {
        try options.checkLimits(size)
        // A grid has at most 256 tiles in each direction, and sides have at most 32 bits, so the products cannot
        // overflow.
        let (coded, rowCount) = (header.codedSize, tiles.count / columnCount)
        try options.checkLimits(PixelSize(coded.width * columnCount, coded.height * rowCount))
    }

    /// The number of pixels that the codec decodes, including invisible ones; `Int.max` if the number would overflow.
    var codedPixelCount: Int {
        let product = header.codedSize.area.multipliedReportingOverflow(by: tiles.count)
        return product.overflow ? .max : product.partialValue
    }

    /// Reads the picture of the item `number`. Throws `badData` if the picture is damaged or of an unsupported kind.
    /// - Parameter depth: The number of identity items that have led to this item. Default: 0.
    init(_ number: Int, in container: HEIFContainer, depth: Int = 0) throws(ImageError) {
        guard let item = container.items[number] else { throw .damagedHEIF("the picture \(number) is missing") }
        let properties = try HEIFProperties(of: item, in: container)
        try Self.checkUnderstanding(properties)
        switch item.type {
        case "iden":
            let targets = container.targets(of: number, "dimg")
            guard targets.count == 1, depth < Self.maxDepth else {
                throw .damagedHEIF("an identity item does not lead to a picture")
            }
            let original = try HEIFPicture(targets[0], in: container, depth: depth + 1)
            self.init(
                size: original.size, header: original.header, columnCount: original.columnCount, tiles: original.tiles,
                properties: properties.completed(by: original.properties),
                transformations: original.transformations + properties.transformations)
        case "grid": try self.init(gridOf: item, number, properties, in: container)
        case let type:
            guard let codec = HEIFCodec(itemType: type) else {
                throw .unreadableHEIF("its picture has the item type '\(type)'")
            }
            let picture = try CodedPicture(codec, of: item, properties, in: container)
            let header = try picture.stream(in: container.file).header
            if !Self.isPadded(header.size, beyond: properties) { try Self.check(properties.size, header.size) }
            self.init(
                size: header.size, header: header, columnCount: 1, tiles: [picture], properties: properties,
                transformations: properties.transformations)
        }
    }

    /// The memory in bytes that decoding needs: the samples of a row of tiles, two more copies of a tile, and three
    /// copies of the longest stream. A quarter of `Int.max` if the number would overflow.
    var workingByteCount: Int {
        let streamByteCount = 3 * (tiles.map(\.byteCount).max() ?? 0)
        let sampleCount = header.codedSize.area.multipliedReportingOverflow(by: (columnCount + 2) * 6)
        guard !sampleCount.overflow else { return .max / 4 }
        return streamByteCount + sampleCount.partialValue / (header.bitDepth > 8 ? 1 : 2)
    }

    private init(
        size: PixelSize, header: StreamHeader, columnCount: Int, tiles: [CodedPicture], properties: HEIFProperties,
        transformations: [HEIFTransformation]
    ) {
        self.size = size
        self.header = header
        self.columnCount = columnCount
        self.tiles = tiles
        self.properties = properties
        self.transformations = transformations
    }

    private init(
        gridOf item: HEIFItem, _ number: Int, _ properties: HEIFProperties, in container: HEIFContainer
    ) throws(ImageError) {
        let shape = try GridShape(container.bytes(of: item))
        let numbers = container.targets(of: number, "dimg")
        guard numbers.count == shape.columnCount * shape.rowCount else {
            throw .damagedHEIF("its grid has \(numbers.count) tiles, not \(shape.columnCount)x\(shape.rowCount)")
        }
        guard numbers.count <= Self.maxTileCount else {
            throw .unreadableHEIF("its grid has \(numbers.count) tiles; at most \(Self.maxTileCount) are supported")
        }
        var tiles: [CodedPicture] = []
        var first: HEIFProperties?
        var byteCount = 0
        for number in numbers {
            guard let item = container.items[number], let codec = HEIFCodec(itemType: item.type) else {
                throw .damagedHEIF("a tile of its grid is missing, or is not a coded picture")
            }
            let properties = try HEIFProperties(of: item, in: container)
            guard properties.transformations.isEmpty else {
                throw .unreadableHEIF("tiles of its grid are cropped or rotated")
            }
            try Self.checkUnderstanding(properties)
            guard first == nil || first?.size == properties.size else {
                throw .damagedHEIF("the tiles of its grid have different sizes")
            }
            first = first ?? properties
            let tile = try CodedPicture(codec, of: item, properties, in: container)
            byteCount += tile.byteCount + tile.configurationByteCount
            // Several tiles may share bytes, but not so many that reading them takes too long.
            guard byteCount <= 2 * container.file.count + Self.maxRepeatedByteCount else {
                throw .damagedHEIF("the tiles of its grid use the same bytes too often")
            }
            tiles.append(tile)
        }
        let header = try tiles[0].stream(in: container.file).header
        try Self.check(first?.size, header.size)
        try Self.check(properties.size, shape.size)
        guard header.size.width * shape.columnCount >= shape.size.width,
            header.size.height * shape.rowCount >= shape.size.height
        else { throw .damagedHEIF("the tiles of its grid do not cover the picture") }
        guard header.size.width * (shape.columnCount - 1) < shape.size.width,
            header.size.height * (shape.rowCount - 1) < shape.size.height
        else { throw .damagedHEIF("tiles of its grid are completely outside the picture") }
        self.init(
            size: shape.size, header: header, columnCount: shape.columnCount, tiles: tiles,
            properties: first.map { properties.completed(by: $0) } ?? properties,
            transformations: properties.transformations)
    }

    /// Throws `badData` if the properties include an essential one that the coder does not support.
    private static func checkUnderstanding(_ properties: HEIFProperties) throws(ImageError) {
        guard let unknown = properties.unknown else { return }
        throw .unreadableHEIF("it requires '\(unknown)', which this coder does not support")
    }

    /// Returns whether the stream of a cropped picture is 0 to 63 pixels wider and higher than the file states.
    /// Versions of libheif before 1.9 wrote such padded streams.
    private static func isPadded(_ size: PixelSize, beyond properties: HEIFProperties) -> Bool {
        guard let told = properties.size,
            properties.transformations.contains(where: { if case .crop = $0 { true } else { false } })
        else { return false }
        return (0..<64).contains(size.width - told.width) && (0..<64).contains(size.height - told.height)
    }

    /// Throws `badData` if the file states a size for a picture and the picture has another size.
    private static func check(_ told: PixelSize?, _ size: PixelSize) throws(ImageError) {
        guard told == nil || told == size else {
            throw .damagedHEIF("its stated size is \(told!), but its picture has \(size)")
        }
    }
}
#endif
