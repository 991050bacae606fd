import CalotypeStandard

/// The files that are damaged.
struct Corpus: Sendable {
    /// A file that some coder knows.
    struct File: Sendable {
        let bytes: [UInt8]
        let format: ImageFormat
    }

    /// The files, at least one.
    let files: [File]

    /// Longer ones would make each round slow, and damage is as good in a small one.
    private static let mostBytes = 16 << 10

    /// All files of directories, and of the directories in them, that one of the coders knows. Throws when there is
    /// none.
    init(directories: [String], coders: [any ImageCoder]) throws {
        let formats = coders.flatMap(\.formats)
        files = try directories.flatMap { directory in
            // In one order, or a seed would mean something else on another disk.
            try FileManager.default.subpathsOfDirectory(atPath: directory).sorted().compactMap { path in
                Self.file(URL(filePath: directory, directoryHint: .isDirectory).appending(path: path), formats)
            }
        }
        guard !files.isEmpty else {
            throw UsageError(message: "no file in \(directories.joined(separator: ", ")) is one that a coder knows")
        }
    }

    /// The file; nil for a directory, and for what is long or of no format.
    private static func file(_ url: URL, _ formats: [ImageFormat]) -> File? {
        guard let data = try? Data(contentsOf: url), data.count <= mostBytes,
            let format = formats.first(where: { $0.matches(data.bytes) })
        else { return nil }
        return File(bytes: [UInt8](data), format: format)
    }
}
