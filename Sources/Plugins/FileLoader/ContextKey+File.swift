public import Calotype

extension ContextKey where Value == Bool {
    /// Whether long files are mapped into memory instead of being read.
    ///
    /// If set, files of at least 1 MiB are used without a copy in memory, and the system can reclaim the mapped pages
    /// at any time.
    ///
    /// **Off by default, because shortening a file while it is mapped ends the process**: touching a page beyond its
    /// new end raises `SIGBUS`, which neither checks nor error handling can prevent. Bytes that are written into the
    /// file while it is mapped may appear in the image. Turn this on only for files that are never changed in place;
    /// replacing a file by renaming another one over it is safe.
    public static let mapsFiles = ContextKey(
        "mapsFiles", summary: "Map files of 1 MiB and more into memory: only for files that are never changed in place."
    )

    /// Whether files are copied to the disk cache, like downloaded originals.
    ///
    /// Off by default, because a local file is read as fast as a copy of it. Turn this on for files on slow or
    /// removable media. Thumbnails and other images made from files are stored as usual, whether this is on or off.
    ///
    /// Requests with different values do not share a load, because each load decides for all of its requests whether
    /// the file is copied.
    public static let storesFiles = ContextKey(
        "storesFiles", affects: .transfer, summary: "Copy files to the disk cache too; without it they are read again.")
}

extension ContextKey where Value == DirectoryList? {
    /// The directories from which files may be loaded. Default: nil, which allows all files. If `allowedSchemes` is
    /// set, nil allows no file.
    ///
    /// The real location of a file counts: all symbolic links are followed, including those on the way to the file and
    /// to the directories. The location is determined from the open file, so that swapping links cannot bypass the
    /// check. For a hard link, the location of its own name counts. An empty list allows nothing.
    ///
    /// A request never gets an image that was loaded and cached with another list, or without a list.
    public static let allowedDirectories = ContextKey(
        "allowedDirectories", affects: [.transfer, .stored],
        summary: "The directories that files may be loaded from, links resolved; none: files from anywhere.")
}

extension ContextSetting {
    /// Maps files of 1 MiB and more into memory. Default: files are read.
    ///
    /// Use this only for files that are never changed in place: shortening a mapped file ends the process.
    public static var mapsFiles: ContextSetting { .on(.mapsFiles) }
    /// Copies files to the disk cache. Default: files are not copied; only images made from them are stored.
    public static var storesFiles: ContextSetting { .on(.storesFiles) }
    /// Loads only files whose real location is in these directories or below them. Default: all files, or no file if
    /// `allowedSchemes` is set.
    ///
    /// Determining the location needs disk access. Therefore `cachedResponse(for:)`, which does not access the disk,
    /// never returns an image of a file, and loading an image that is in memory takes slightly longer.
    public static func allowedDirectories(_ directories: DirectoryList) -> ContextSetting {
        .set(.allowedDirectories, to: directories)
    }
}
