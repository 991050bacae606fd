/// A part of the contract of coders that ``checkCoder(_:with:checks:)`` can check.
public enum CoderCheck: String, Sendable, Hashable, CaseIterable {
    /// The coder recognizes its files by their first 64 bytes and declines all others without throwing.
    case sniffing
    /// The properties of a file (size, depth, alpha and gray) match its pixels. The properties never change.
    case info
    /// Every row is delivered once, in order and complete. The same applies to planes, if the coder offers them.
    case rows
    /// A sink that refuses an image receives no rows, and its error is rethrown. A profile or metadata longer than the
    /// limit is an error.
    case limits
    /// Decodes and encodes end early if their job is cancelled or times out. A decode also ends if its sink throws.
    case cancelling
    /// A file that is cut off at any byte causes an error or yields the complete image. Rows that are delivered before
    /// the error are correct.
    case truncation
    /// A coder that declares `readsInPieces` reads one piece at a time, and the image is that of the whole file.
    case pieces
    /// A file that arrives in pieces yields the same image as the whole file at once.
    case progressive
    /// Thumbnails have the requested size, are never enlarged, and have the colors of the image.
    case thumbnails
    /// Frames are the same in whatever order they are decoded, and lie within the image.
    case frames
    /// The coder can read the files that it writes, and these files keep the image as far as the format supports it.
    case roundTrip
    /// Concurrent decodes do not interfere with each other.
    case threadSafety
}
