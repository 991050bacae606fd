/// Reads and writes a family of image formats: a factory of decoders and encoders.
///
/// Asked by the pipeline on its decoding lane, or where ``isPureComputation`` allows it, the newest registered first.
/// Called from many threads at once, never under a lock. Bytes come from strangers: whatever they are, a coder throws;
/// it does not trap, hang or allocate what the header merely claims.
public protocol ImageCoder: Sendable {
    /// The name in messages, metrics and explanations. Default: the type's name.
    var name: String { get }

    /// The identity of the coder: two coders with equal identities make equal pixels of equal bytes, and so may share
    /// cache entries. It stays the same from process to process. Default: the name.
    var identity: String { get }

    /// The formats that it reads, or writes, or both.
    var formats: [ImageFormat] { get }

    /// Whether decoders read `bytes.chunk(at:)` from front to back, and never `bytes.data`. Default: false.
    ///
    /// If so, a long file is not read before it is decoded.
    var readsInPieces: Bool { get }

    /// Whether decoding is nothing but computing, in a time that follows from how many bytes and pixels there are: no
    /// files, no locks that are held for long, no other processes. Default: false.
    ///
    /// If so, small pictures are decoded on the threads that Swift's tasks share, which must not be blocked; else all
    /// are on a lane, two changes of thread farther away.
    var isPureComputation: Bool { get }

    /// Whether decoding is safe with bytes from strangers: the library beneath is small, or has been attacked for so
    /// long that little is found any more. Default: false.
    ///
    /// If not, the coder is asked only where ``ContextKey/admittedFormats`` names one of its formats, or is nil.
    var acceptsUntrustedBytes: Bool { get }

    /// A decoder for these bytes, used by one thread at a time; nil when they are not of this coder's formats, which is
    /// to be judged by the signature. Throws when they are but cannot be decoded. `bytes.chunk(at:)` will do for what
    /// is read from front to back; `bytes.data` may take memory for all of them.
    func decoder(for bytes: ImageBytes, options: DecodeOptions) throws -> (any ImageDecoder)?

    /// A decoder that takes the bytes piece by piece, used by one thread at a time, for previews while they arrive; nil
    /// when the first bytes, `head`, are not of this coder's formats, or when it cannot. `head` is not taken: all bytes
    /// are appended.
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

    /// Whether `bytes` begin like a file of one of this coder's formats: the usual test at the start of `decoder`.
    public func recognizes(_ bytes: ImageBytes) -> Bool {
        bytes.withHead(64) { head in formats.contains { $0.matches(head) } }
    }
}
