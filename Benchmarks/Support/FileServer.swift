import CalotypeStandard

/// A web server on the loopback interface that serves the files of a directory. Scripts/bench-server starts it.
struct FileServer {
    /// Why a row that wants one cannot be measured.
    static var missing: Contest {
        .unavailable(.noServer, because: "no server was given; run make bench, which installs nginx and starts it")
    }

    /// Its address, without a slash at the end.
    let address: String
    /// The directory.
    let directory: String

    /// Puts a file there; its address.
    func serve(_ bytes: Data, as name: String) throws -> String {
        let directory = URL(filePath: directory, directoryHint: .isDirectory)
        try bytes.write(to: URL(filePath: TemporaryDirectory.path(name, in: directory)))
        return "\(address)/\(name)"
    }
}
