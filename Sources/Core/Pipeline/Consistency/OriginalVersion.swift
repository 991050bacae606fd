/// The version of an original: the version that its images already have, a digest of its validators, or a checksum of
/// its bytes. All copies of the original share it, so that it is computed only once.
final class OriginalVersion: Sendable {
    /// The entry attribute for the version. An entry has it only if its validators do not determine the version.
    static let attribute = "version"
    /// The maximum number of bytes whose checksum takes negligible time.
    private static let byteCountHere = 256 << 10

    private let bytes: ImageBytes?
    private let known: Lock<String?>

    /// Creates a version.
    /// - Parameters:
    ///   - known: The version; nil to compute a checksum when the version is first needed.
    ///   - bytes: The bytes for the checksum; nil if there are none.
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

    /// The version, computed on the current thread if it is not known. Nil if the version is not known and there are no
    /// bytes in memory to compute it from.
    var text: String? {
        if let known = known.withLock({ $0 }) { return known }
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
