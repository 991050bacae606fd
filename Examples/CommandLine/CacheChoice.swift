import CalotypeStandard

/// Which cache a command uses: what `--cache` says.
enum CacheChoice: Sendable {
    /// None, neither in memory nor on disk.
    case off
    /// The one in this folder.
    case folder(URL)

    /// What the arguments say; the user's own cache where they say nothing.
    init(_ arguments: Arguments) {
        switch arguments.value(of: .cache) {
        case nil: self = .folder(DiskCache.defaultFolder)
        case "none"?: self = .off
        case let path?: self = .folder(URL(filePath: Source.literal(path), directoryHint: .isDirectory))
        }
    }
}
