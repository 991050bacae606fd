import CalotypeStandard

/// The owner of a directory, which is removed with its last reference.
final class DirectoryOwner: Sendable {
    let directory: URL

    init(_ directory: URL) { self.directory = directory }

    deinit { TemporaryDirectory.remove(directory) }
}
