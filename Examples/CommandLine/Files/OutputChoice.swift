import CalotypeStandard

/// The destination and the formats of the pictures that `load` writes.
struct OutputChoice: Sendable {
    private enum Place: Sendable {
        case file(String)
        /// A directory, with a file name for each source, without an extension.
        case directory(String, names: [String])
    }

    private let place: Place
    private let formats: FormatChoice

    /// Returns nil without an output option. Throws `UsageError`.
    ///
    /// The output is a directory if one exists at the path, if the path ends in a slash, or if there are several
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

    /// Creates the directory if it does not exist. Blocks.
    func prepare() throws {
        if case .directory(let path, _) = place { try OutputFile.createDirectory(path) }
    }

    /// Returns the format for a picture whose source has the format `source`.
    func format(for source: ImageFormat?) -> ImageFormat { formats.format(for: source) }

    /// Returns the path of the file for a source, by the index of the source.
    func path(for index: Int, format: ImageFormat) -> String {
        switch place {
        case .file(let path): return path
        case .directory(let directory, let names):
            let name = "\(names[index]).\(format.fileExtensions.first ?? format.name)"
            return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
        }
    }

    /// Returns a file name for each source: its own, with a number if another source of this run uses it or if it has
    /// none.
    ///
    /// The names of sources in the directory are reserved, with any extension, since they may not have been read yet.
    private static func names(for sources: [Source], in directory: String) -> [String] {
        // In lower case, since some file systems ignore case.
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
    /// Returns whether the source is a file in the directory.
    fileprivate func isIn(_ directory: FileIdentity) -> Bool {
        guard let url = request?.url, url.isFileURL else { return false }
        return FileIdentity(FileName.directory(of: url.path(percentEncoded: false))) == directory
    }
}
