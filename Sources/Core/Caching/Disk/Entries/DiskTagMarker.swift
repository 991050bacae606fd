/// An empty file that marks an entry with a tag, so that a removal by tag need not open every entry.
///
/// A marker is written before its entry, and removed after it, so that a removal by tag finds every entry with the tag.
/// For some time, a marker may exist without an entry, or for an entry that no longer has the tag. Trims and
/// verifications keep a marker without an entry for an hour, because its entry may still be written.
///
/// If a process removes a key while another process stores it, the new marker may be removed too. A store therefore
/// checks for its markers again after writing the entry.
struct DiskTagMarker: Sendable {
    /// The directory of the tag in the entry's shard.
    let directory: String
    /// The name of the marker: the name of the entry's source, followed by the name of the entry.
    let name: String

    /// The path of the marker.
    var path: String { "\(directory)/\(name)" }
}
