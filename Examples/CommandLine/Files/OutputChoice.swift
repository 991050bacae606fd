import CalotypeStandard

/// The destination and the formats of the pictures that `load` writes.
struct OutputChoice: Sendable {
    private enum Place: Sendable {
        case file(String)
        /// A directory, with the name of the file for each source, without the extension.
        case directory(String, names: [String])
    }

    private let place: Place
    private let formats: FormatChoice

    /// Creates the choice from the options. Returns nil if `--output` is not given. Throws `UsageError` if the options
    /// are invalid.
    ///
    /// The output is a directory if there are several sources, if the path ends in a slash, or if a directory exists at
    /// the path. Otherwise the output is a file.
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

    /// Creates the output directory if it does not exist. Does nothing if the output is a file. Blocks.
    func prepare() throws {
        if case .directory(let path, _) = place { try OutputFile.createDirectory(path) }
    }

    /// Returns the format in which to write a picture that was loaded from a file of the format `source`.
    func format(for source: ImageFormat?) -> ImageFormat { formats.format(for: source) }

    /// Returns the path of the output file for the source with an index.
    func path(for index: Int, format: ImageFormat) -> String {
        switch place {
        case .file(let path): return path
        case .directory(let directory, let names):
            let name = "\(names[index]).\(format.fileExtensions.first ?? format.name)"
            return directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
        }
    }

    /// Returns a file name for each source, without an extension: the name of the source, with a number if the name is
    /// already taken.
    ///
    /// The names of sources that lie in the output directory are taken, with any extension, because these sources may
    /// not have been read yet.
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
    /// Returns whether the source is a file directly in a directory.
    fileprivate func isIn(_ directory: FileIdentity) -> Bool {
        guard let url = request?.url, url.isFileURL else { return false }
        return FileIdentity(FileName.directory(of: url.path(percentEncoded: false))) == directory
    }
}
