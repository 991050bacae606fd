import CalotypeStandard

/// The cache of a command, as given by `--cache`.
enum CacheChoice: Sendable {
    /// No cache, neither in memory nor on disk.
    case off
    /// The cache in a directory.
    case directory(URL)

    /// Creates the choice from the arguments. Without `--cache`, the default directory of the disk cache is chosen.
    init(_ arguments: Arguments) {
        switch arguments.value(of: .cache) {
        case nil: self = .directory(DiskCache.defaultDirectory)
        case "none"?: self = .off
        case let path?: self = .directory(URL(filePath: Source.literal(path), directoryHint: .isDirectory))
        }
    }
}
