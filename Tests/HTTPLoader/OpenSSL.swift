#if HTTP
import Calotype

/// The command `openssl`, for certificates and for a server that has them.
enum OpenSSL {
    /// What a command that failed had to say.
    struct Failure: Error {
        let text: String
    }

    /// Whether there is one that can do what the tests want. What macOS has by that name cannot.
    static let isInstalled: Bool = {
        let version = ShellCommand("openssl version 2>/dev/null")?.nextLine()
        return version?.hasPrefix("OpenSSL") ?? false
    }()

    private static let lane = Lane(name: "openssl", width: 2)

    /// Makes a key and a certificate for hosts, written as `IP:127.0.0.1` or `DNS:localhost`: the files `NAME.key` and
    /// `NAME.pem`. The certificate is its own authority. Returns where it is.
    @discardableResult
    static func makeCertificate(
        _ name: String, for hosts: String..., in folder: TemporaryFolder
    ) async throws -> URL {
        let configuration = """
            [req]
            prompt = no
            distinguished_name = name
            x509_extensions = extensions
            [name]
            CN = Calotype tests
            [extensions]
            basicConstraints = critical, CA:TRUE
            subjectAltName = \(hosts.joined(separator: ", "))
            """
        try folder.write(Data(configuration.utf8), "\(name).cnf")
        try await lane.run {
            let command = ShellCommand(
                "cd '\(folder.path)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
                    + "-days 2 -config \(name).cnf -keyout \(name).key -out \(name).pem 2>&1")
            var lines: [String] = []
            while let line = command?.nextLine() { lines.append(line) }
            guard command?.end() == 0 else { throw Failure(text: lines.joined(separator: "\n")) }
        }
        return folder.url.appending(path: "\(name).pem", directoryHint: .notDirectory)
    }

    /// Starts a server that has the certificate `NAME.pem` of the folder, and answers with the folder's files.
    static func serve(_ folder: TemporaryFolder, certificate name: String) async throws -> OpenSSLServer {
        try await lane.run { try OpenSSLServer(folder, certificate: name) }
    }
}
#endif
