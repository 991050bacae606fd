public import Calotype

extension ContextKey where Value == Bool {
    /// Whether long files are mapped into memory instead of being read.
    ///
    /// Files of at least 1 MiB then cost no copy, and no memory that the system could not take back at any time.
    ///
    /// **Off by default, since a file that somebody shortens while it is mapped ends the process**: touching a page
    /// behind its new end raises `SIGBUS`, which no check and no code can prevent. What is written into the file
    /// meanwhile may show in the picture. Turn it on for files that nobody changes in place; replacing them by renaming
    /// others over them is safe.
    public static let mapsFiles = ContextKey(
        "mapsFiles", summary: "Map files of 1 MiB and more into memory: only for files that are never changed in place."
    )

    /// Whether files are copied to the disk cache as they are, as what comes from elsewhere is.
    ///
    /// Off by default: a file of this machine is read as soon as a copy of it. Turn it on for files on slow or
    /// removable media. Thumbnails, and all else that is made of files, are kept in any case.
    ///
    /// Part of the transfer, since what a loader says of a response applies to all requests that share it.
    public static let storesFiles = ContextKey(
        "storesFiles", affects: .transfer, summary: "Copy files to the disk cache too; without it they are read anew.")
}

extension ContextKey where Value == DirectoryList? {
    /// The directories in which files must lie to be loaded; nil, the default, allows all, or none where
    /// `allowedSchemes` is set.
    ///
    /// What counts is where a file really is, with all symbolic links followed, its own as well as those on the way to
    /// it and to the directories. It is found out of the open file, so that no exchange of links meanwhile gets around
    /// it. A hard link lies where it is. An empty list allows nothing.
    ///
    /// What was loaded and kept under another list, or under none, is never the answer to a request.
    public static let allowedDirectories = ContextKey(
        "allowedDirectories", affects: [.transfer, .stored],
        summary: "The directories that files may be loaded from, links resolved; none: files from anywhere.")
}

extension ContextSetting {
    /// Map files of 1 MiB and more into memory: only for files that are never changed in place, since one that gets
    /// shorter while it is mapped ends the process. Default: they are read.
    public static var mapsFiles: ContextSetting { .on(.mapsFiles) }
    /// Copy files to the disk cache as they are. Default: only what is made of them is kept there.
    public static var storesFiles: ContextSetting { .on(.storesFiles) }
    /// Load only files that really lie in these directories, however deep. Default: files from anywhere.
    ///
    /// Where a file lies is asked of the disk, so that `cachedResponse(for:)` finds none of them, and a load answers
    /// from memory a little later than others.
    public static func allowedDirectories(_ directories: DirectoryList) -> ContextSetting {
        .set(.allowedDirectories, to: directories)
    }
}
