import CalotypeStandard

/// A web server on the loopback interface that serves the files of a folder. Scripts/bench-server starts it.
struct FileServer {
    /// Why a row that wants one cannot be measured.
    static var missing: Contest {
        .unavailable(.noServer, because: "no server was given; run make bench, which installs nginx and starts it")
    }

    /// Its address, without a slash at the end.
    let address: String
    /// The folder.
    let folder: String

    /// Puts a file there; its address.
    func serve(_ bytes: Data, as name: String) throws -> String {
        let folder = URL(filePath: folder, directoryHint: .isDirectory)
        try bytes.write(to: URL(filePath: TemporaryFolder.path(name, in: folder)))
        return "\(address)/\(name)"
    }
}
