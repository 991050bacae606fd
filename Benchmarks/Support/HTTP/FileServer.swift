import CalotypeStandard

/// A web server on the loopback interface that serves the files of a directory. Scripts/bench-server starts it.
struct FileServer {
    /// The result of rows that need a server when there is none.
    static var missing: Contest {
        .unavailable(.noServer, because: "no server was given; run make bench, which installs nginx and starts it")
    }

    /// The server's address, without a slash at the end.
    let address: String
    /// The directory of served files.
    let directory: String

    /// Adds a file to the directory and returns its address.
    func serve(_ bytes: Data, as name: String) throws -> String {
        let directory = URL(filePath: directory, directoryHint: .isDirectory)
        try bytes.write(to: URL(filePath: TemporaryDirectory.path(name, in: directory)))
        return "\(address)/\(name)"
    }
}
