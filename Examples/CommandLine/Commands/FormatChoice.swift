import CalotypeStandard

/// The format of a written picture: the named one, else that of the file's extension, else the source's, else PNG.
struct FormatChoice: Sendable {
    /// The format from the command line; nil if it depends on the source.
    private let chosen: ImageFormat?
    private let writable: [ImageFormat]

    /// Throws `UsageError`, with the list of writable formats, for a format that cannot be written.
    /// - Parameters:
    ///   - name: The value of `--format`.
    /// - path: The file to write; nil for standard output, and for directories, whose files are named later.
    ///   - writable: The formats that can be written.
    init(named name: String?, path: String?, writable: [ImageFormat]) throws {
        self.writable = writable
        let fileExtension = path.map { FileName.split($0).fileExtension } ?? ""
        let known = writable.map(\.name).joined(separator: ", ")
        if let name {
            let wanted = name.lowercased()
            guard let format = writable.first(where: { $0.name == wanted || $0.fileExtensions.contains(wanted) }) else {
                throw UsageError("--format: '\(name)' is not a writable format; use one of: \(known)")
            }
            chosen = format
        } else if let path, !fileExtension.isEmpty {
            guard let format = writable.first(where: { $0.fileExtensions.contains(fileExtension) }) else {
                throw UsageError(
                    "\(path): no writable format has the extension '\(fileExtension)'; "
                        + "use another extension, or --format with one of: \(known)")
            }
            chosen = format
        } else {
            chosen = nil
        }
    }

    /// Returns the format for a picture whose source has the format `source`.
    func format(for source: ImageFormat?) -> ImageFormat {
        chosen ?? writable.first(where: { $0 == source }) ?? .png
    }
}
