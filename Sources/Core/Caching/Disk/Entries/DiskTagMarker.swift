/// The empty file that says which entry carries a tag, so that a removal by tag need not open every entry.
///
/// Written before the entry, and removed after it. For some time there may be one without an entry, or for an entry
/// that no longer carries the tag, but no entry that removing by tag would miss. One without an entry stays for an
/// hour, since the entry may be about to come. If another process removes the same key at that instant, the marker goes
/// all the same: a store looks for it once more, and if it is killed before that, `verify` mends it.
struct DiskTagMarker: Sendable {
    /// The directory of the tag in the entry's shard.
    let directory: String
    /// The names of the entry's source and of the entry.
    let name: String

    var path: String { "\(directory)/\(name)" }
}
