/// A part of the contract of coders that ``checkCoder(_:with:checks:)`` can try.
public enum CoderCheck: String, Sendable, Hashable, CaseIterable {
    /// The coder knows its files by their first 64 bytes, and leaves all others alone without throwing.
    case sniffing
    /// The properties of a file are true for its pixels: size, depth, alpha, gray. They are always the same.
    case info
    /// Every row comes once, in order and complete; so do planes, where it offers some.
    case rows
    /// A sink that refuses a picture gets nothing of it, and what it throws is let through. A profile or metadata that
    /// are longer than allowed are an error.
    case limits
    /// A job that is cancelled, or a sink that takes no more, ends a decode at that row, and a cancelled job an encode.
    /// So does a job that runs out of time, also while planes are given.
    case cancelling
    /// A file that is cut off, at any byte, is an error, or the same picture; never less without an error. Rows that
    /// come before the error are those of the picture.
    case truncation
    /// A coder that says it reads in pieces does, and makes the same of them.
    case pieces
    /// A file that arrives in pieces ends as the picture that all of it makes at once.
    case progressive
    /// Thumbnails are as large as was asked for, never enlarged, and of the colours of the picture.
    case thumbnails
    /// Frames are the same in whatever order they are asked for, and lie within the picture.
    case frames
    /// The coder can read what it writes, and what the format can keep is kept.
    case roundTrip
    /// Several threads that decode at once do not disturb each other.
    case threadSafety
}
