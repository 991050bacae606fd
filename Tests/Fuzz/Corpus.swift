import CalotypeStandard

/// The files to damage.
struct Corpus: Sendable {
    /// A file in a format of one of the coders.
    struct File: Sendable {
        let bytes: [UInt8]
        let format: ImageFormat
    }

    /// The files, at least one.
    let files: [File]

    /// The maximum length. Longer files would slow down each round without better damage.
    private static let mostBytes = 16 << 10

    /// Creates a corpus of all files in directories and their subdirectories that one of the coders supports. Throws if
    /// there is none.
    init(directories: [String], coders: [any ImageCoder]) throws {
        let formats = coders.flatMap(\.formats)
        files = try directories.flatMap { directory in
            // Sorted, so that a seed means the same on every disk.
            try FileManager.default.subpathsOfDirectory(atPath: directory).sorted().compactMap { path in
                Self.file(URL(filePath: directory, directoryHint: .isDirectory).appending(path: path), formats)
            }
        }
        guard !files.isEmpty else {
            throw UsageError(message: "\(directories.joined(separator: ", ")) contain no file of a supported format")
        }
    }

    /// Returns a file; nil for directories, long files and unknown formats.
    private static func file(_ url: URL, _ formats: [ImageFormat]) -> File? {
        guard let data = try? Data(contentsOf: url), data.count <= mostBytes,
            let format = formats.first(where: { $0.matches(data.bytes) })
        else { return nil }
        return File(bytes: [UInt8](data), format: format)
    }
}
