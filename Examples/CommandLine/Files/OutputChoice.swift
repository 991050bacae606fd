import CalotypeStandard

/// Where `load` writes pictures to, and in which formats.
struct OutputChoice: Sendable {
    private enum Place: Sendable {
        case file(String)
        /// A directory, with a name for each source, without an extension.
        case directory(String, names: [String])
    }

    private let place: Place
    private let formats: FormatChoice

    /// Nil when nothing is to be written. Throws `UsageError`.
    ///
    /// It is a directory when there is one of that name, when the name ends in a slash, or when there are several
    /// sources.
    init?(_ arguments: Arguments, sources: [Source], writable: [ImageFormat]) throws {
        let name = arguments.value(of: .format)
        guard let path = arguments.value(of: .output) else {
            guard name == nil else { throw UsageError("--format requires --output") }
            return nil
        }
        guard path != "-" else {
            throw UsageError("--output takes a file or a directory; use 'convert' to write to standard output")
        }
        let isDirectory = sources.count > 1 || path.hasSuffix("/") || FileIdentity(path)?.isDirectory == true
        formats = try FormatChoice(named: name, path: isDirectory ? nil : path, writable: writable)
        place = isDirectory ? .directory(path, names: Self.names(for: sources, in: path)) : .file(path)
    }

    /// Makes the directory when it is not there. Blocks.
    func prepare() throws {
        if case .directory(let path, _) = place { try OutputFile.createDirectory(path) }
    }

    /// The format for the picture of a source that came in `source`.
    func format(for source: ImageFormat?) -> ImageFormat { formats.format(for: source) }

    /// The file for a source, by its place among the sources.
    func path(for index: Int, format: ImageFormat) -> String {
        switch place {
        case .file(let path): return path
        case .directory(let directory, let names):
            let name = "\(names[index]).\(format.fileExtensions.first ?? format.name)"
            return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
        }
    }

    /// A name for each source: its own, with a number where it is taken by another source of this run, or where it has
    /// none.
    ///
    /// Sources that are in the directory keep their names, whatever the extension: one of them may not have been read
    /// yet.
    private static func names(for sources: [Source], in directory: String) -> [String] {
        // In lower case, since not all file systems tell case apart.
        var taken: Set<String> = []
        if let identity = FileIdentity(directory) {
            for source in sources where source.isIn(identity) { taken.insert(source.fileName(1).lowercased()) }
        }
        return sources.map { source in
            var attempt = 1
            while !taken.insert(source.fileName(attempt).lowercased()).inserted { attempt += 1 }
            return source.fileName(attempt)
        }
    }
}

extension Source {
    /// Whether it is a file in the directory.
    fileprivate func isIn(_ directory: FileIdentity) -> Bool {
        guard let url = request?.url, url.isFileURL else { return false }
        return FileIdentity(FileName.directory(of: url.path(percentEncoded: false))) == directory
    }
}
