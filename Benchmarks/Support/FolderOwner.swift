import CalotypeStandard

/// A folder that goes with its last user.
final class FolderOwner: Sendable {
    let folder: URL

    init(_ folder: URL) { self.folder = folder }

    deinit { TemporaryFolder.remove(folder) }
}
