/// A format of image files.
///
/// The set of formats is open: a coder can add formats with `ImageFormat(name:...)`. Two formats with the same name are
/// equal.
public struct ImageFormat: Sendable {
    /// The name of the format in lower case, for example `png`. Formats are compared and selected by name.
    public let name: String
    /// The media types, the preferred one first.
    public let mimeTypes: [String]
    /// The file name extensions without the dot, in lower case, the preferred one first.
    public let fileExtensions: [String]
    /// The signatures of the format. A file has the format if it matches at least one signature.
    public let signatures: [Signature]
    /// Whether decoding a file of this format can give back exactly the pixels that were encoded.
    public let isLossless: Bool

    /// Creates a format.
    public init(
        name: String, mimeTypes: [String], fileExtensions: [String], signatures: [Signature], isLossless: Bool = false
    ) {
        self.name = name
        self.mimeTypes = mimeTypes
        self.fileExtensions = fileExtensions
        self.signatures = signatures
        self.isLossless = isLossless
    }

    /// Bytes at an offset in a file, with a mask of the bits that count.
    public struct Signature: Sendable, Hashable {
        /// The expected bytes. Bits that the mask does not select are 0.
        public let bytes: [UInt8]
        /// The mask of the bits that count. It has the same length as `bytes`.
        public let mask: [UInt8]
        /// The offset of the bytes in the file.
        public let offset: Int

        /// Creates a signature.
        /// - Parameters:
        ///   - bytes: The expected bytes.
        ///   - mask: A mask of the same length, which selects the bits that count. Default: all bits.
        ///   - offset: The offset of the bytes in the file. Default: 0.
        public init(_ bytes: [UInt8], mask: [UInt8]? = nil, offset: Int = 0) {
            let mask = mask ?? Array(repeating: 0xFF, count: bytes.count)
            precondition(!bytes.isEmpty && offset >= 0, "a signature needs bytes, and an offset of at least 0")
            precondition(mask.count == bytes.count, "the mask has \(mask.count) bytes, the signature \(bytes.count)")
            self.bytes = zip(bytes, mask).map { $0 & $1 }
            self.mask = mask
            self.offset = offset
        }

        /// The number of bytes from the beginning of a file that are needed to check the signature.
        var end: Int { offset + bytes.count }

        func matches(_ head: RawSpan) -> Bool {
            guard head.byteCount >= end else { return false }
            return bytes.indices.allSatisfy {
                head.unsafeLoad(fromByteOffset: offset + $0, as: UInt8.self) & mask[$0] == bytes[$0]
            }
        }
    }

    /// Returns whether a file that begins with `head` has this format.
    public func matches(_ head: RawSpan) -> Bool {
        signatures.contains { $0.matches(head) }
    }
}

extension ImageFormat: Hashable, CustomStringConvertible {
    public static func == (one: ImageFormat, other: ImageFormat) -> Bool { one.name == other.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    public var description: String { name }
}

extension ImageFormat {
    /// Portable Network Graphics, including animated files (APNG).
    public static let png = ImageFormat(
        name: "png", mimeTypes: ["image/png", "image/apng"], fileExtensions: ["png", "apng"],
        signatures: [Signature([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])], isLossless: true)
    /// JPEG. The signature is the start marker and the first byte of the next marker. The two bytes of the start marker
    /// alone would match too many other files.
    public static let jpeg = ImageFormat(
        name: "jpeg", mimeTypes: ["image/jpeg"], fileExtensions: ["jpg", "jpeg", "jpe", "jfif"],
        signatures: [Signature([0xFF, 0xD8, 0xFF])])
    /// Graphics Interchange Format.
    public static let gif = ImageFormat(
        name: "gif", mimeTypes: ["image/gif"], fileExtensions: ["gif"],
        signatures: [Signature(Array("GIF87a".utf8)), Signature(Array("GIF89a".utf8))])
    /// WebP.
    public static let webp = ImageFormat(
        name: "webp", mimeTypes: ["image/webp"], fileExtensions: ["webp"],
        signatures: [
            Signature(
                Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8),
                mask: [255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255])
        ])
    /// HEIC: a HEIF file whose picture is compressed with HEVC.
    public static let heic = ImageFormat(
        name: "heic", mimeTypes: ["image/heic", "image/heif"], fileExtensions: ["heic", "heif"],
        signatures: ["heic", "heix", "hevc", "hevx", "heim", "heis", "mif1", "msf1"].map(fileType))
    /// AVIF: a HEIF file whose picture is compressed with AV1. This includes files whose major brand is the general
    /// `mif1`, if `avif` is among the first three compatible brands.
    public static let avif = ImageFormat(
        name: "avif", mimeTypes: ["image/avif"], fileExtensions: ["avif"],
        signatures: ["avif", "avis"].map(fileType)
            + [0, 4, 8].map { between in
                let ignored = [UInt8](repeating: 0, count: 4 + between)
                return Signature(
                    Array("ftypmif1".utf8) + ignored + Array("avif".utf8),
                    mask: [UInt8](repeating: 255, count: 8) + ignored + [255, 255, 255, 255], offset: 4)
            })
    /// Tagged Image File Format.
    public static let tiff = ImageFormat(
        name: "tiff", mimeTypes: ["image/tiff"], fileExtensions: ["tif", "tiff"],
        signatures: [Signature([0x49, 0x49, 0x2A, 0x00]), Signature([0x4D, 0x4D, 0x00, 0x2A])], isLossless: true)
    /// Windows bitmap. The signature is `BM` and the four reserved bytes, which must be zero. The two letters alone
    /// would match too many other files.
    public static let bmp = ImageFormat(
        name: "bmp", mimeTypes: ["image/bmp"], fileExtensions: ["bmp", "dib"],
        signatures: [
            Signature(
                [0x42, 0x4D, 0, 0, 0, 0, 0, 0, 0, 0],
                mask: [255, 255, 0, 0, 0, 0, 255, 255, 255, 255])
        ],
        isLossless: true)

    /// The formats that are recognized even without a coder, so that an error can name the format of a file.
    static let known: [ImageFormat] = [.png, .jpeg, .gif, .webp, .avif, .heic, .tiff, .bmp]

    /// Returns the signature of an ISO base media file whose major brand is `brand` (ISO/IEC 14496-12, section 4.3).
    private static func fileType(_ brand: String) -> Signature {
        Signature(Array("ftyp".utf8) + Array(brand.utf8), offset: 4)
    }

    /// Returns the format that the first bytes of a file match. The formats in `formats` are checked first, then the
    /// formats of the library.
    /// - Parameters:
    ///   - head: The first bytes of the file; 32 are enough for every format of the library.
    ///   - formats: The formats of installed coders.
    /// - Returns: The format; nil if no format matches, or if too few bytes are given.
    public static func sniff(_ head: RawSpan, among formats: [ImageFormat] = []) -> ImageFormat? {
        for format in formats where format.matches(head) { return format }
        for format in known where format.matches(head) { return format }
        return nil
    }
}
