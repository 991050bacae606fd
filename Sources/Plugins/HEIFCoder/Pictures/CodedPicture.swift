#if HEIF
import Calotype

/// The location of a coded stream and its decoder configuration in a HEIF file. The stream contains a whole picture or
/// one tile of a grid.
struct CodedPicture {
    let codec: HEIFCodec
    private let configuration: Range<Int>
    private let ranges: [Range<Int>]

    /// Creates the coded picture of an item. Throws `badData` if the decoder configuration is missing or too long, and
    /// the errors of ``HEIFContainer/ranges(of:)``.
    init(
        _ codec: HEIFCodec, of item: HEIFItem, _ properties: HEIFProperties, in container: HEIFContainer
    ) throws(ImageError) {
        guard let configuration = properties.configuration, configuration.type == codec.configurationType else {
            throw .damagedHEIF("the decoder configuration '\(codec.configurationType)' of its stream is missing")
        }
        guard configuration.body.count <= Self.maxConfigurationByteCount else {
            throw .damagedHEIF("the decoder configuration of its stream has \(configuration.body.count) bytes")
        }
        self.codec = codec
        self.configuration = configuration.body
        ranges = try container.ranges(of: item)
    }

    /// The maximum length of a decoder configuration, in bytes. Normal configurations have a few hundred bytes.
    private static let maxConfigurationByteCount = 1 << 16

    /// The length of the decoder configuration in bytes. It is parsed for each tile, even if several tiles share it.
    var configurationByteCount: Int { configuration.count }

    /// The length of the stream in bytes.
    var byteCount: Int { ranges.reduce(0) { $0 + $1.count } }

    /// Reads and checks the stream. Throws `badData` if the stream is damaged.
    func stream(in file: UnsafeRawBufferPointer) throws(ImageError) -> PictureStream {
        var data: [UInt8] = []
        data.reserveCapacity(byteCount)
        for range in ranges { data += file[range] }
        return try PictureStream(codec, configuration: Array(file[configuration]), data: data)
    }
}
#endif
