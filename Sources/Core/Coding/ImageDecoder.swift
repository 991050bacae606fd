/// A decoder of one file, made by a coder and used by one thread at a time.
public protocol ImageDecoder {
    /// The properties of the file, read without decoding pixels. Throws `badData` if the file contradicts itself.
    var info: ImageInfo { get throws }

    /// The estimated memory, in bytes, that decoding takes in addition to the rows and the file. Default: 0.
    ///
    /// The estimate decides how many decodes run at once. It is read after ``info``. A ``ProgressiveDecoder`` is asked
    /// at any time, and returns 0 until it knows the amount.
    var workingByteCount: Int { get }

    /// Decodes frame `frame` (0 is the first) into `sink`, in its stored orientation.
    ///
    /// For a still, the frame is the whole picture. For an animation (``ImageInfo/frames``), it is exactly the frame's
    /// own region, with straight alpha, and not composed with other frames. All frames have one pixel format. Frames
    /// are requested in any order, and repeatedly. A decoder that has thrown is not used again, except a
    /// ``ProgressiveDecoder`` that has thrown `incomplete`.
    ///
    /// Call `sink.begin` once with the layout of the rows that follow, then either `row` for each row in order from the
    /// top, or `whole` once. Announce rows whose channels are not red, green, blue and alpha (``RowChannels``) with
    /// `begin(_:channels:)`. A decoder that has planes may offer them first: if `sink.beginPlanes` returns true, pass
    /// them to `plane`, and do not call `begin`. Do not catch the errors of these calls.
    ///
    /// The sink handles limits, cancellation, the deadline, orientation, color and resampling. A decoder calls
    /// `job.check()` only in long work between rows.
    func decode(frame: Int, into sink: inout some RowSink & ~Copyable, job: Job) throws
}

extension ImageDecoder {
    public var workingByteCount: Int { 0 }
}
