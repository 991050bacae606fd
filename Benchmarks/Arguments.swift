import CalotypeStandard

/// The arguments of the command line.
struct Arguments {
    /// The text that a row's id or title must contain for the row to be measured; nil for all rows.
    private(set) var filter: String?
    /// The path of the JSON results; nil to write none.
    private(set) var jsonPath: String?
    /// The python3 with the peers; nil if there is none.
    private(set) var python: String?
    /// The server of the rows that load over HTTP; nil if there is none.
    private(set) var server: FileServer?
    /// The user's own pictures, for additional thumbnail rows.
    private(set) var images: [URL] = []
    private(set) var wantsHelp = false

    static let help = """
        usage: calotype-benchmarks [--filter TEXT] [--json FILE] [--python PATH] [--images FOLDER]
                                   [--server URL --server-directory PATH]

          --filter TEXT         measure only rows with TEXT in their id or title
          --json FILE           also write the results to FILE
          --python PATH         a python3 with libvips, Pillow and aiohttp, as printed by Scripts/bench-peers; without
                                it, the rows that need them have the verdict "peer missing"
          --images FOLDER       also make thumbnails of the JPEGs and PNGs in FOLDER
          --server URL          a web server on this machine, as started by Scripts/bench-server; without it, the rows
                                that load over HTTP have the verdict "no server"
          --server-directory PATH  the directory of the server's files, where the rows create theirs

        Exit codes: 0; 1 if the whole interval of a row is worse than its budget; 2 if a row could not be measured;
        64 if the command line is invalid.
        """

    init(_ words: [String]) throws(BenchmarkError) {
        var address: String?
        var directory: String?
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--help" {
                wantsHelp = true
                continue
            }
            guard ["--filter", "--json", "--python", "--images", "--server", "--server-directory"].contains(word) else {
                throw BenchmarkError("unknown option '\(word)'")
            }
            guard let value = rest.popFirst() else { throw BenchmarkError("\(word) requires a value") }
            switch word {
            case "--filter": filter = value
            case "--json": jsonPath = value
            case "--images": images = try Self.images(in: value)
            case "--server": address = value
            case "--server-directory": directory = value
            default: python = value.isEmpty ? nil : value
            }
        }
        switch (address, directory) {
        case (nil, nil): break
        case (let address?, let directory?): server = FileServer(address: address, directory: directory)
        default: throw BenchmarkError("--server and --server-directory must be used together")
        }
    }

    /// Returns the JPEGs and PNGs of a directory, sorted by name.
    private static func images(in directory: String) throws(BenchmarkError) -> [URL] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            throw BenchmarkError("\(directory) is not a readable directory; check --images")
        }
        return names.sorted().map { URL(filePath: directory).appending(path: $0) }
            .filter { ["jpg", "jpeg", "png"].contains($0.pathExtension.lowercased()) }
    }
}
