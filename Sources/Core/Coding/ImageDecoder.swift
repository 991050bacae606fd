/// Decodes one file. Made by a coder; used by one thread at a time, on the decoding lane.
public protocol ImageDecoder {
    /// The properties of the file, read without decoding pixels. Throws `badData` where it contradicts itself.
    var info: ImageInfo { get throws }

    /// The memory in bytes that decoding takes besides its rows and the file, once ``info`` is known: the pixels of a
    /// picture whose rows are not stored in order, the coefficients of one that is stored in scans. An estimate, which
    /// decides how many decodes run at once. Default: 0.
    var workingByteCount: Int { get }

    /// Decodes frame `frame` (0 is the first) as stored, not turned upright, into `sink`.
    ///
    /// Of a still that is the whole picture. Of an animation (``ImageInfo/frames``) it is the frame's own region, no
    /// more and no less, with straight alpha, not composed with other frames; all frames have one pixel format. They
    /// are asked for in any order, and again; after it has thrown, a decoder is not asked any more.
    ///
    /// Call `sink.begin` once with the layout of the rows that follow, then either `row` for each row from the top, in
    /// order, or `whole` once. Rows of ink are announced by `begin(_:channels:)`. A decoder that has planes may offer
    /// them first: where `sink.beginPlanes` says true, `plane` gives them, and `begin` is not called. Let through what
    /// they throw. Limits, cancelling, the deadline, orientation, colour and resampling are behind the sink; a decoder
    /// knows nothing of them, but calls `job.check()` in long work of its own between rows.
    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws
}

extension ImageDecoder {
    public var workingByteCount: Int { 0 }
}
