/// The version of an original: the version that its images already have, a digest of its validators, or a checksum of
/// its bytes.
///
/// The version is computed once for all copies of the original, including those with newer response headers, because
/// the bytes are the same.
final class OriginalVersion: Sendable {
    /// The name of the entry attribute for the version of an entry's bytes. An entry has this attribute only if the
    /// version cannot be derived from its validators.
    static let attribute = "version"
    /// The maximum number of bytes whose checksum is computed on the caller's thread, because that takes negligible
    /// time.
    private static let byteCountHere = 256 << 10

    private let bytes: ImageBytes?
    private let known: Lock<String?>

    /// Creates a version that is known, or is computed when it is first needed.
    /// - Parameters:
    ///   - known: The version; nil if it is not known yet.
    ///   - bytes: The bytes for a checksum if the version is not known; nil if there are none.
    init(_ known: String?, of bytes: ImageBytes?) {
        self.bytes = bytes
        self.known = Lock(known)
    }

    /// Returns a digest of validators; nil if there are none.
    static func digest(of validators: Validators?) -> String? {
        guard let validators, validators != Validators() else { return nil }
        let (tag, date) = (validators.entityTag ?? "", validators.lastModified ?? "")
        return SHA256.hex(of: "\(tag)\n\(date)", byteCount: 8)
    }

    /// The version, which is computed here if it is not known. Nil if it is not known and there are no bytes in memory
    /// to compute it from.
    var text: String? {
        if let known = known.withLock(\.self) { return known }
        guard let bytes, !bytes.isReadWhenAsked else { return nil }
        let data = bytes.data
        let text = "\(data.count)-\(String(DiskEntryFormat.checksum(of: data), radix: 16))"
        known.withLock { $0 = text }
        return text
    }

    /// Whether computing ``text`` takes noticeable time.
    var takesTime: Bool {
        guard let bytes, bytes.byteCount > Self.byteCountHere, !bytes.isReadWhenAsked else { return false }
        return known.withLock { $0 == nil }
    }
}
