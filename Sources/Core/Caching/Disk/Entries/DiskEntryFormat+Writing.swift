extension DiskEntryFormat {
    /// Returns the content of an entry's file in two pieces: the payload, and the body with the footer. Without a
    /// transform, the entry's data is not copied. Throws the error of the transform if it fails.
    static func pieces(
        of entry: CacheEntry, for key: VariantKey, under secret: DirectorySecret, creation: Double,
        transform: (any DataTransform)? = nil
    ) throws -> [Data] {
        let record = record(of: entry, for: key)
        let digest = key.diskName(under: secret).digest
        var payload = entry.data
        if let transform {
            var known = record + digest
            append(UInt64(record.count), to: &known)
            payload.append(contentsOf: known)
            payload = try transform.encode(payload)
        }

        var bytes: [UInt8] = []
        bytes.reserveCapacity(record.count + 192)
        append(transform?.identity ?? "", to: &bytes)
        bytes.append(contentsOf: digest)
        append(creation.bitPattern, to: &bytes)
        append(UInt64(entry.tags.count), to: &bytes)
        // Sorted like all lists, so that equal entries have equal files.
        let digests = entry.tags.map { secret.digest(ofTag: $0) }.sorted { $0.lexicographicallyPrecedes($1) }
        for digest in digests { bytes.append(contentsOf: digest) }
        if transform == nil { bytes.append(contentsOf: record) }

        let bodyByteCount = UInt64(bytes.count)
        append(UInt64(payload.count), to: &bytes)
        append(bodyByteCount, to: &bytes)
        append((entry.expiration ?? .nan).bitPattern, to: &bytes)
        append(magic, to: &bytes)
        append(version, to: &bytes)
        append(checksum(of: Data(bytes), after: checksum(of: payload)), to: &bytes)
        return [payload, Data(bytes)]
    }

    private static func record(of entry: CacheEntry, for key: VariantKey) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        append(key.source.description, to: &bytes)
        append(key.redactedPolicy, to: &bytes)
        append(key.redactedVariant, to: &bytes)
        append(UInt64(entry.attributes.count), to: &bytes)
        for (name, value) in entry.attributes.sorted(by: { $0.key < $1.key }) {
            append(name, to: &bytes)
            append(value, to: &bytes)
        }
        append(UInt64(entry.tags.count), to: &bytes)
        for tag in entry.tags.sorted() { append(tag, to: &bytes) }
        bytes.append(entry.extendedData == nil ? 0 : 1)
        if let extendedData = entry.extendedData {
            append(UInt64(extendedData.count), to: &bytes)
            bytes.append(contentsOf: extendedData)
        }
        return bytes
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        append(UInt64(text.utf8.count), to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
