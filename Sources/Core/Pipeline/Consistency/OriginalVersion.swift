/// The version of an original: the one that its images have already, a digest of its validators, or a checksum of its
/// bytes.
///
/// Found out once for all copies, also those of which the source says something else by now: the bytes are the same.
final class OriginalVersion: Sendable {
    /// The attribute for the version of an entry's bytes, if its validators do not tell it.
    static let attribute = "version"
    /// The checksum of so many bytes is made in no time.
    private static let byteCountHere = 256 << 10

    private let bytes: ImageBytes?
    private let known: Lock<String?>

    /// - Parameters:
    ///   - known: What is known before; nil for nothing.
    ///   - bytes: What a checksum is to be made of otherwise; nil if there are none.
    init(_ known: String?, of bytes: ImageBytes?) {
        self.bytes = bytes
        self.known = Lock(known)
    }

    /// A digest of validators; nil if there are none.
    static func digest(of validators: Validators?) -> String? {
        guard let validators, validators != Validators() else { return nil }
        let (tag, date) = (validators.entityTag ?? "", validators.lastModified ?? "")
        return SHA256.hex(of: "\(tag)\n\(date)", byteCount: 8)
    }

    /// The version; nil if nothing tells it, or only bytes that are not at hand.
    var text: String? {
        if let known = known.withLock(\.self) { return known }
        guard let bytes, !bytes.isReadWhenAsked else { return nil }
        let data = bytes.data
        let text = "\(data.count)-\(String(DiskEntryFormat.checksum(of: data), radix: 16))"
        known.withLock { $0 = text }
        return text
    }

    /// Whether finding it out takes a while.
    var takesTime: Bool {
        guard let bytes, bytes.byteCount > Self.byteCountHere, !bytes.isReadWhenAsked else { return false }
        return known.withLock { $0 == nil }
    }
}
