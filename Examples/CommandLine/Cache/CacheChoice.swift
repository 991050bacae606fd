import CalotypeStandard

/// The cache of a command, as given by `--cache`.
enum CacheChoice: Sendable {
    /// No cache, neither in memory nor on disk.
    case off
    /// The cache in this directory.
    case directory(URL)

    /// Parses the arguments. The default is the user's own cache.
    init(_ arguments: Arguments) {
        switch arguments.value(of: .cache) {
        case nil: self = .directory(DiskCache.defaultDirectory)
        case "none"?: self = .off
        case let path?: self = .directory(URL(filePath: Source.literal(path), directoryHint: .isDirectory))
        }
    }
}
