import CKernels

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file of one entry of a ``DiskCache``.
///
/// The payload comes first, so that any program which takes the image's format opens the file: what follows the end of
/// an image is ignored by all of them. All numbers are little-endian.
///
/// | bytes | what |
/// |---|---|
/// | p | payload: the entry's data as it was given |
/// | b | body |
/// | 40 | footer |
///
/// The body, without padding, where a text is a `UInt64` with the number of its bytes and then these, in UTF-8:
///
/// | type | what |
/// |---|---|
/// | text | key: source |
/// | text | key: policy |
/// | text | key: variant |
/// | `Float64` | creation, in seconds since 1970; for people who look at the file |
/// | `UInt64` | number of attributes |
/// | text, text | for each attribute its name and its value, sorted by name |
/// | `UInt8` | 1 when there is extended data, else 0 |
/// | `UInt64`, bytes | if so, its length and the extended data |
///
/// The footer, at the very end of the file:
///
/// | offset | type | what |
/// |---|---|---|
/// | 0 | `UInt64` | p, the length of the payload |
/// | 8 | `UInt64` | b, the length of the body |
/// | 16 | `Float64` | expiration, in seconds since 1970; not a number when there is none |
/// | 24 | 8 bytes | `calotype` in ASCII |
/// | 32 | `UInt32` | version of the format, 1 |
/// | 36 | `UInt32` | CRC-32C of all bytes of the file before this field |
///
/// The last 16 bytes keep their place in every version. Two more facts about an entry are with the file system: when it
/// was last used is the file's modification time, and a file that its owner may not write to has an expiration, so
/// that a walk over the folder need not open the others.
enum DiskEntryFormat {
    /// The version of the format that is written, and the only one that is read.
    static let version: UInt32 = 1
    /// The length of the footer.
    static let footerByteCount = 40

    /// The bytes `calotype`, read as a little-endian number.
    private static let magic: UInt64 = 0x6570_7974_6F6C_6163

    /// Why a file is no entry, or not the one that was looked for.
    enum Defect: String, Error, CustomStringConvertible {
        case truncated = "it is shorter than a footer"
        case foreign = "it does not end as an entry does"
        case version = "it has another version of the format"
        case lengths = "its lengths do not add up"
        case checksum = "its checksum does not match"
        case body = "its fields do not add up"
        case key = "it belongs to another key"

        var description: String { rawValue }
    }
}

// MARK: - Writing

extension DiskEntryFormat {
    /// What follows the payload in the file: body and footer.
    static func trailer(for entry: CacheEntry, key: VariantKey, creation: Double) -> Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        append(key.source.text, to: &bytes)
        append(key.policy, to: &bytes)
        append(key.variant, to: &bytes)
        append(creation.bitPattern, to: &bytes)
        append(UInt64(entry.attributes.count), to: &bytes)
        for (name, value) in entry.attributes.sorted(by: { $0.key < $1.key }) {
            append(name, to: &bytes)
            append(value, to: &bytes)
        }
        bytes.append(entry.extendedData == nil ? 0 : 1)
        if let extendedData = entry.extendedData {
            append(UInt64(extendedData.count), to: &bytes)
            bytes.append(contentsOf: extendedData)
        }

        let bodyByteCount = UInt64(bytes.count)
        append(UInt64(entry.data.count), to: &bytes)
        append(bodyByteCount, to: &bytes)
        append((entry.expiration ?? .nan).bitPattern, to: &bytes)
        append(magic, to: &bytes)
        append(version, to: &bytes)
        append(checksum(of: Data(bytes), after: checksum(of: entry.data)), to: &bytes)
        return Data(bytes)
    }

    /// The CRC-32C of bytes, or of the bytes that `previous` is the checksum of and these.
    static func checksum(of bytes: Data, after previous: UInt32 = 0) -> UInt32 {
        bytes.withUnsafeBytes { (buffer: UnsafeRawBufferPointer) -> UInt32 in
            ck_crc32c(previous, buffer.baseAddress, buffer.count)
        }
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(UInt64(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

// MARK: - Reading

extension DiskEntryFormat {
    /// The entry in a file, whose data shares the file's bytes, and when it was created.
    ///
    /// Takes any bytes. Throws a ``Defect`` when they are not, down to the last bit, an entry written for `key`.
    static func parse(_ file: Data, for key: VariantKey) throws -> (entry: CacheEntry, creation: Double) {
        let (footer, attributes, extendedData, creation) = try file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            let footer = try Footer(of: bytes)
            guard footer.bodyByteCount <= bytes.count - footerByteCount,
                footer.payloadByteCount == bytes.count - footerByteCount - footer.bodyByteCount
            else { throw Defect.lengths }
            let checkedByteCount = bytes.count - MemoryLayout<UInt32>.size
            guard footer.checksum == ck_crc32c(0, bytes.baseAddress, checkedByteCount) else { throw Defect.checksum }
            let bodyEnd = footer.payloadByteCount + footer.bodyByteCount
            let body = UnsafeRawBufferPointer(rebasing: bytes[footer.payloadByteCount..<bodyEnd])
            let (attributes, extendedData, creation) = try parseBody(body, for: key)
            return (footer, attributes, extendedData, creation)
        }
        let entry = CacheEntry(
            data: file.prefix(footer.payloadByteCount), expiration: footer.expiration, attributes: attributes,
            extendedData: extendedData)
        return (entry, creation)
    }

    /// The expiration in the last bytes of a file, unverified; nil when there is none or it is no entry.
    static func expiration(inTail tail: Data) -> Double? {
        tail.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in (try? Footer(of: bytes))?.expiration }
    }

    private static func parseBody(
        _ buffer: UnsafeRawBufferPointer, for key: VariantKey
    ) throws -> (attributes: [String: String], extendedData: Data?, creation: Double) {
        var reader = Reader(rest: buffer)
        // Byte by byte: texts that are equal in Unicode's eyes have different digests too.
        for text in [key.source.text, key.policy, key.variant] {
            guard try isSame(reader.field(), text) else { throw Defect.key }
        }
        let creation = try Double(bitPattern: reader.number(UInt64.self))
        var attributes: [String: String] = [:]
        let attributeCount = try reader.number(UInt64.self)
        // The count is not believed: each round takes bytes, or throws when there are none.
        for _ in 0..<attributeCount {
            let name = try String(decoding: reader.field(), as: UTF8.self)
            attributes[name] = try String(decoding: reader.field(), as: UTF8.self)
        }
        var extendedData: Data?
        switch try reader.number(UInt8.self) {
        case 0: break
        case 1: extendedData = try Data(reader.field())
        default: throw Defect.body
        }
        guard reader.rest.isEmpty else { throw Defect.body }
        return (attributes, extendedData, creation)
    }

    private static func isSame(_ bytes: UnsafeRawBufferPointer, _ text: String) -> Bool {
        guard bytes.count == text.utf8.count else { return false }
        let isSame = text.utf8.withContiguousStorageIfAvailable { text in
            bytes.isEmpty || memcmp(bytes.baseAddress!, text.baseAddress!, bytes.count) == 0
        }
        return isSame ?? bytes.elementsEqual(text.utf8)
    }

    /// The footer, as far as it can be judged by itself.
    private struct Footer {
        let payloadByteCount: Int
        let bodyByteCount: Int
        let expiration: Double?
        let checksum: UInt32

        /// Reads the end of a file.
        init(of file: UnsafeRawBufferPointer) throws {
            guard file.count >= DiskEntryFormat.footerByteCount else { throw Defect.truncated }
            let end = file[(file.count - DiskEntryFormat.footerByteCount)...]
            try self.init(Reader(rest: UnsafeRawBufferPointer(rebasing: end)))
        }

        private init(_ start: Reader) throws {
            var reader = start
            let payload = try reader.number(UInt64.self)
            let body = try reader.number(UInt64.self)
            let time = try Double(bitPattern: reader.number(UInt64.self))
            guard try reader.number(UInt64.self) == DiskEntryFormat.magic else { throw Defect.foreign }
            guard try reader.number(UInt32.self) == DiskEntryFormat.version else { throw Defect.version }
            checksum = try reader.number(UInt32.self)
            guard let payloadByteCount = Int(exactly: payload), let bodyByteCount = Int(exactly: body) else {
                throw Defect.lengths
            }
            self.payloadByteCount = payloadByteCount
            self.bodyByteCount = bodyByteCount
            expiration = time.isNaN ? nil : time
        }
    }

    /// Takes numbers and fields off the front of bytes, and throws when there are not enough.
    private struct Reader {
        var rest: UnsafeRawBufferPointer

        mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
            let bytes = try take(MemoryLayout<Number>.size)
            return Number(littleEndian: bytes.loadUnaligned(as: type))
        }

        /// A length and as many bytes.
        mutating func field() throws -> UnsafeRawBufferPointer {
            guard let count = try Int(exactly: number(UInt64.self)) else { throw Defect.body }
            return try take(count)
        }

        private mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
            guard count <= rest.count else { throw Defect.body }
            let taken = UnsafeRawBufferPointer(rebasing: rest[..<count])
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            return taken
        }
    }
}
