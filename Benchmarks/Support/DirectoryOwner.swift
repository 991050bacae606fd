import CalotypeStandard

/// A directory that goes with its last user.
final class DirectoryOwner: Sendable {
    let directory: URL

    init(_ directory: URL) { self.directory = directory }

    deinit { TemporaryDirectory.remove(directory) }
}
