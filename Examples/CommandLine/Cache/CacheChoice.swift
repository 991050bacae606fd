import CalotypeStandard

/// Which cache a command uses: what `--cache` says.
enum CacheChoice: Sendable {
    /// None, neither in memory nor on disk.
    case off
    /// The one in this directory.
    case directory(URL)

    /// What the arguments say; the user's own cache where they say nothing.
    init(_ arguments: Arguments) {
        switch arguments.value(of: .cache) {
        case nil: self = .directory(DiskCache.defaultDirectory)
        case "none"?: self = .off
        case let path?: self = .directory(URL(filePath: Source.literal(path), directoryHint: .isDirectory))
        }
    }
}
