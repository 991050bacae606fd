/// An empty file that marks an entry with a tag, so that a removal by tag need not open every entry.
///
/// A marker is written before its entry, and removed after it. For some time, there may be a marker without an entry,
/// or for an entry that no longer has the tag; but a removal by tag misses no entry. A marker without an entry remains
/// for an hour, since the entry may still be written.
///
/// If another process removes the same key at the same moment, the marker is removed too. A store therefore checks for
/// the marker again afterward; if its process is killed before that, `verify` mends it.
struct DiskTagMarker: Sendable {
    /// The directory of the tag in the entry's shard.
    let directory: String
    /// The name of the entry's source, followed by that of the entry.
    let name: String

    var path: String { "\(directory)/\(name)" }
}
