import CalotypeStandard

/// The choice of the format in which a picture is written.
///
/// The first of these formats that is known: the one that `--format` names, that of the extension of the output file,
/// that of the source if it can be written, PNG.
struct FormatChoice: Sendable {
    /// The format that `--format` or the extension of the file names; nil if the format depends on the source.
    private let chosen: ImageFormat?
    private let writable: [ImageFormat]

    /// Creates the choice. Throws `UsageError`, with the list of writable formats, if the named format cannot be
    /// written.
    /// - Parameters:
    ///   - name: The value of `--format`; nil if it is not given.
    ///   - path: The path of the file to write. Nil for standard output, and for a directory, in which the files are
    ///     named later.
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

    /// Returns the format in which to write a picture that was loaded from a file of the format `source`.
    func format(for source: ImageFormat?) -> ImageFormat {
        chosen ?? writable.first(where: { $0 == source }) ?? .png
    }
}
