public import Calotype

extension ContextKey where Value == Bool {
    /// Whether long files are mapped into memory instead of being read.
    ///
    /// Files of at least 1 MiB then need no copy, and the system can reclaim their memory at any time.
    ///
    /// **Off by default, because shortening a file while it is mapped ends the process**: touching a page behind its
    /// new end raises `SIGBUS`, which neither checks nor error handling can prevent. Bytes written into the file in the
    /// meantime may appear in the image. Turn this on only for files that are never changed in place; replacing a file
    /// by renaming another one over it is safe.
    public static let mapsFiles = ContextKey(
        "mapsFiles", summary: "Map files of 1 MiB and more into memory: only for files that are never changed in place."
    )

    /// Whether files are copied to the disk cache like images from elsewhere.
    ///
    /// Off by default, because a local file is read as fast as a copy of it. Turn this on for files on slow or
    /// removable media. Thumbnails, and all other images made from files, are stored in any case.
    ///
    /// The key affects the transfer, because a loader's statement about a response applies to all requests that share
    /// it.
    public static let storesFiles = ContextKey(
        "storesFiles", affects: .transfer, summary: "Copy files to the disk cache too; without it they are read again.")
}

extension ContextKey where Value == DirectoryList? {
    /// The directories that files must lie in to be loaded. Nil, the default, allows all files, or none if
    /// `allowedSchemes` is set.
    ///
    /// The real location of a file counts: all symbolic links are followed, including those on the way to the file and
    /// to the directories. The location is determined from the open file, so that swapping links cannot bypass the
    /// check. A hard link lies where its own name is. An empty list allows nothing.
    ///
    /// Images that were loaded and cached under another list, or without one, are never returned for a request.
    public static let allowedDirectories = ContextKey(
        "allowedDirectories", affects: [.transfer, .stored],
        summary: "The directories that files may be loaded from, links resolved; none: files from anywhere.")
}

extension ContextSetting {
    /// Maps files of 1 MiB and more into memory. Default: files are read.
    ///
    /// Use this only for files that are never changed in place: shortening a mapped file ends the process.
    public static var mapsFiles: ContextSetting { .on(.mapsFiles) }
    /// Copies files to the disk cache. Default: only images made from them are stored.
    public static var storesFiles: ContextSetting { .on(.storesFiles) }
    /// Loads only files whose real location is below these directories. Default: files from anywhere.
    ///
    /// Determining the location needs disk access. `cachedResponse(for:)` therefore finds none of these images, and a
    /// load that is answered from memory takes slightly longer.
    public static func allowedDirectories(_ directories: DirectoryList) -> ContextSetting {
        .set(.allowedDirectories, to: directories)
    }
}
