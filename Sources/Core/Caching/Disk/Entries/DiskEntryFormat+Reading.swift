import CKernels

extension DiskEntryFormat {
    /// The parsed and verified contents of an entry's file.
    struct Parsed {
        /// The entry. If there is no transform, its data shares the memory of the file's bytes.
        let entry: CacheEntry
        /// The digest of the key for which the entry was written.
        let digest: [UInt8]
        /// The key without its secrets; nil if `parse` was called with the name of the entry.
        let key: VariantKey?
        /// The digests of the entry's tags.
        let tagDigests: [[UInt8]]
        /// The time at which the entry was written, in seconds since 1970.
        let creation: Double

        /// The times at which the entry was written and expires.
        var dates: Dates { Dates(creation: creation, expiration: entry.expiration) }
    }

    /// Parses and verifies the file of an entry, which may contain any bytes. Throws a ``Defect`` if the file is not
    /// valid or not the expected one.
    /// - Parameters:
    ///   - name: The expected name of the entry; nil to accept any name.
    ///   - transform: The transform with which the entry must have been written; nil for none.
    static func parse(
        _ file: Data, as name: DiskEntryName? = nil, transform: (any DataTransform)? = nil
    ) throws -> Parsed {
        let checked = try file.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            try Checked(bytes, as: name, identity: transform?.identity ?? "")
        }
        let payload = file.prefix(checked.payloadByteCount)
        if let record = checked.record {
            return Parsed(record, data: payload, checked)
        }
        guard let transform else { throw Defect.transform }
        let plain = try decode(payload, transform)
        let (record, dataByteCount) = try plain.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> (Record, Int) in
            let lengthByteCount = MemoryLayout<UInt64>.size
            let end = bytes.count - lengthByteCount - DiskEntryName.digestByteCount
            guard end >= 0 else { throw Defect.body }
            var reader = Reader(rest: UnsafeRawBufferPointer(rebasing: bytes[end...]))
            // Anyone who can write to the directory can change the digests in the body.
            guard try reader.take(DiskEntryName.digestByteCount).elementsEqual(checked.digest) else { throw Defect.key }
            let length = try reader.number(UInt64.self)
            guard let recordByteCount = Int(exactly: length), recordByteCount <= end else { throw Defect.body }
            let start = end - recordByteCount
            let record = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            return (try Record(record, withKey: name == nil), start)
        }
        return Parsed(record, data: plain.prefix(dataByteCount), checked)
    }

    /// Returns the dates of an entry, given the body and the footer of its file, without verifying the checksum.
    /// Returns nil if the footer is not valid. If the body cannot be read, the creation date is minus infinity.
    static func dates(inTrailer trailer: Data) -> Dates? {
        trailer.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Dates? in
            guard let footer = try? Footer(of: bytes) else { return nil }
            var reader = Reader(rest: UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - footerByteCount)]))
            let creation = (try? Head(&reader))?.creation ?? -.infinity
            return Dates(creation: creation, expiration: footer.expiration)
        }
    }

    /// Returns the length of the body and the footer together, in bytes. Returns nil if the file is not an entry.
    /// - Parameter tail: The end of the file, with at least the footer.
    static func trailerByteCount(inTail tail: Data) -> Int? {
        tail.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int? in
            guard let footer = try? Footer(of: bytes), footer.bodyByteCount <= Int.max - footerByteCount else {
                return nil
            }
            return footer.bodyByteCount + footerByteCount
        }
    }

    /// Returns the digests of an entry's tags, given the body and the footer of its file, without verifying the
    /// checksum. Returns nil if the body is not valid.
    static func tagDigests(inTrailer trailer: Data) -> [[UInt8]]? {
        trailer.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> [[UInt8]]? in
            guard bytes.count >= footerByteCount else { return nil }
            var reader = Reader(rest: UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - footerByteCount)]))
            return (try? Head(&reader))?.tagDigests
        }
    }

    private static func decode(_ payload: Data, _ transform: any DataTransform) throws -> Data {
        do {
            return try transform.decode(payload)
        } catch {
            throw Defect.decoding
        }
    }
}

extension DiskEntryFormat.Parsed {
    fileprivate init(_ record: DiskEntryFormat.Record, data: Data, _ checked: DiskEntryFormat.Checked) {
        entry = CacheEntry(
            data: data, expiration: checked.expiration, attributes: record.attributes,
            extendedData: record.extendedData, tags: record.tags)
        digest = checked.digest
        key = record.key
        tagDigests = checked.tagDigests
        creation = checked.creation
    }
}

// MARK: - Parts of a file

extension DiskEntryFormat {
    /// The parts of an entry's file, after its checksum, version, lengths, transform and name have been verified.
    fileprivate struct Checked {
        let payloadByteCount: Int
        let expiration: Double?
        let creation: Double
        let digest: [UInt8]
        let tagDigests: [[UInt8]]
        /// The record; nil if there is a transform, because the payload then contains the record.
        let record: Record?

        init(_ file: UnsafeRawBufferPointer, as name: DiskEntryName?, identity: String) throws {
            let footer = try Footer(of: file)
            // The checksum is verified before the version, which cannot be trusted in a damaged file.
            let checkedByteCount = file.count - MemoryLayout<UInt32>.size
            guard footer.checksum == ck_crc32c(0, file.baseAddress, checkedByteCount) else { throw Defect.checksum }
            guard footer.version == DiskEntryFormat.version else { throw Defect.version }
            let restByteCount = file.count - DiskEntryFormat.footerByteCount
            guard footer.bodyByteCount <= restByteCount,
                footer.payloadByteCount == restByteCount - footer.bodyByteCount
            else { throw Defect.lengths }
            let bodyEnd = footer.payloadByteCount + footer.bodyByteCount
            var reader = Reader(rest: UnsafeRawBufferPointer(rebasing: file[footer.payloadByteCount..<bodyEnd]))
            let head = try Head(&reader)
            guard identity.isSame(as: head.identity) else { throw Defect.transform }
            guard name.map({ head.digest.elementsEqual($0.digest) }) != false else { throw Defect.key }
            digest = name?.digest ?? Array(head.digest)
            tagDigests = head.tagDigests
            payloadByteCount = footer.payloadByteCount
            expiration = footer.expiration
            creation = head.creation
            guard identity.isEmpty else {
                guard reader.rest.isEmpty else { throw Defect.body }
                record = nil
                return
            }
            record = try Record(reader.rest, withKey: name == nil)
        }
    }

    /// The footer of an entry's file. Its signature has been checked, but its checksum has not.
    private struct Footer {
        let payloadByteCount: Int
        let bodyByteCount: Int
        let expiration: Double?
        let version: UInt32
        let checksum: UInt32

        /// Reads the footer from the last bytes of a file. Throws if they are too few or have another signature.
        init(of file: UnsafeRawBufferPointer) throws {
            guard file.count >= DiskEntryFormat.footerByteCount else { throw Defect.truncated }
            let end = file[(file.count - DiskEntryFormat.footerByteCount)...]
            var reader = Reader(rest: UnsafeRawBufferPointer(rebasing: end))
            let payload = try reader.number(UInt64.self)
            let body = try reader.number(UInt64.self)
            let time = try Double(bitPattern: reader.number(UInt64.self))
            guard try reader.number(UInt64.self) == DiskEntryFormat.magic else { throw Defect.foreign }
            version = try reader.number(UInt32.self)
            checksum = try reader.number(UInt32.self)
            // A length that no file can have is reported only after the checksum is verified, like all inconsistent
            // lengths.
            payloadByteCount = Int(clamping: payload)
            bodyByteCount = Int(clamping: body)
            expiration = time.isNaN ? nil : time
        }
    }

    /// The head of an entry's file: the first fields of the body, which are present with and without a transform.
    private struct Head {
        let identity: UnsafeRawBufferPointer
        let digest: UnsafeRawBufferPointer
        let creation: Double
        let tagDigests: [[UInt8]]

        init(_ reader: inout Reader) throws {
            identity = try reader.field()
            digest = try reader.take(DiskEntryName.digestByteCount)
            creation = try Double(bitPattern: reader.number(UInt64.self))
            var digests: [[UInt8]] = []
            // The count need not be bounded: each iteration takes bytes, or throws if too few are left.
            let tagCount = try reader.number(UInt64.self)
            for _ in 0..<tagCount { digests.append(Array(try reader.take(DiskEntryFormat.tagDigestByteCount))) }
            tagDigests = digests
        }
    }

    /// The record of an entry: its key, attributes, tags and extended data.
    fileprivate struct Record {
        let key: VariantKey?
        let attributes: [String: String]
        let tags: Set<String>
        let extendedData: Data?

        init(_ bytes: UnsafeRawBufferPointer, withKey isKeyWanted: Bool) throws {
            var reader = Reader(rest: bytes)
            let (source, policy, variant) = (try reader.field(), try reader.field(), try reader.field())
            key =
                isKeyWanted
                ? VariantKey(
                    source: SourceKey(DiskEntryFormat.text(source)), policy: DiskEntryFormat.text(policy),
                    variant: DiskEntryFormat.text(variant)) : nil
            var attributes: [String: String] = [:]
            let attributeCount = try reader.number(UInt64.self)
            for _ in 0..<attributeCount {
                let name = DiskEntryFormat.text(try reader.field())
                attributes[name] = DiskEntryFormat.text(try reader.field())
            }
            self.attributes = attributes
            var tags: Set<String> = []
            let tagCount = try reader.number(UInt64.self)
            for _ in 0..<tagCount { tags.insert(DiskEntryFormat.text(try reader.field())) }
            self.tags = tags
            switch try reader.number(UInt8.self) {
            case 0: extendedData = nil
            case 1: extendedData = Data(try reader.field())
            default: throw Defect.body
            }
            guard reader.rest.isEmpty else { throw Defect.body }
        }
    }

    /// A reader that takes numbers and fields from the start of its bytes, and throws if too few bytes are left.
    private struct Reader {
        /// The bytes that have not been taken.
        var rest: UnsafeRawBufferPointer

        mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
            let bytes = try take(MemoryLayout<Number>.size)
            return Number(littleEndian: bytes.loadUnaligned(as: type))
        }

        /// Takes a length, and then takes and returns that many bytes.
        mutating func field() throws -> UnsafeRawBufferPointer {
            guard let count = try Int(exactly: number(UInt64.self)) else { throw Defect.body }
            return try take(count)
        }

        mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
            guard count <= rest.count else { throw Defect.body }
            let taken = UnsafeRawBufferPointer(rebasing: rest[..<count])
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            return taken
        }
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
}
