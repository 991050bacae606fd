/// A factory of decoders and encoders for a family of image formats.
///
/// The pipeline asks the most recently registered coder first. Coders are called from many threads at once, and never
/// under a lock. The pipeline decodes on threads of a ``Lane``, where blocking is allowed. If ``isPureComputation`` is
/// true, it also decodes on the threads that Swift's tasks share.
///
/// Bytes are untrusted: a coder throws an error for bytes that it cannot decode. It never traps or hangs, and never
/// allocates memory only because a header claims a large size.
public protocol ImageCoder: Sendable {
    /// The name of the coder in messages, metrics and explanations. Default: the type's name.
    var name: String { get }

    /// The identity of the coder, which is the same in every process. Default: the name.
    ///
    /// Coders with equal identities make equal pixels from equal bytes, and so may share cache entries.
    var identity: String { get }

    /// The formats that the coder reads, or writes, or both.
    var formats: [ImageFormat] { get }

    /// Whether decoders read `bytes.chunk(at:)` from front to back, and never `bytes.data`. If true, a long file is not
    /// read into memory before it is decoded. Default: false.
    var readsInPieces: Bool { get }

    /// Whether decoding only computes, in a time that depends only on the number of bytes and pixels. Such a coder uses
    /// no files, no locks that are held for long, and no other processes. Default: false.
    ///
    /// If true, small pictures are decoded on the threads that Swift's tasks share, which must not be blocked.
    var isPureComputation: Bool { get }

    /// Whether decoding is safe with untrusted bytes: the underlying library is small, or has been attacked for so long
    /// that few flaws are left. Default: false.
    ///
    /// If false, the coder is asked for a decoder only if ``ContextKey/admittedFormats`` is nil, or names one of its
    /// formats.
    var acceptsUntrustedBytes: Bool { get }

    /// Returns a decoder for these bytes; nil if they are not in one of this coder's formats. The decoder is used by
    /// one thread at a time.
    ///
    /// Judge the format by the signature. Throw if the bytes are in one of the formats but cannot be decoded. To read
    /// from front to back, use `bytes.chunk(at:)`; `bytes.data` may take memory for all bytes.
    func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)?

    /// Returns a decoder that takes the bytes piece by piece, for previews while the file arrives. Returns nil if the
    /// coder has no such decoder, or if the first bytes, `head`, are not in one of its formats.
    ///
    /// The decoder is used by one thread at a time. It must not decode the bytes of `head`: all bytes of the file,
    /// including these, are passed to its `append`.
    func progressiveDecoder(for head: ImageBytes, options: DecodeOptions) throws -> (any ProgressiveDecoder)?

    /// Returns an encoder for `format`; nil if this coder does not write it.
    func encoder(for format: ImageFormat) -> (any ImageEncoder)?
}

extension ImageCoder {
    public var readsInPieces: Bool { false }
    public var isPureComputation: Bool { false }
    public var acceptsUntrustedBytes: Bool { false }
    public var name: String { typeName(Self.self) }
    public var identity: String { name }

    public func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)? { nil }
    public func progressiveDecoder(
        for head: ImageBytes, options: DecodeOptions
    ) throws -> (any ProgressiveDecoder)? { nil }
    public func encoder(for format: ImageFormat) -> (any ImageEncoder)? { nil }

    /// Returns whether `bytes` begin like a file of one of this coder's formats. This is the usual test at the start of
    /// `decoder`.
    public func recognizes(_ bytes: ImageBytes) -> Bool {
        bytes.withHead(64) { head in formats.contains { $0.matches(head) } }
    }
}
