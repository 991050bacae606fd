public import Calotype

/// The command `openssl`, for certificates and for a server that uses them.
public enum OpenSSL {
    /// A command that failed.
    public struct Failure: Error {
        /// The output of the command.
        public let text: String
    }

    /// Whether a suitable `openssl` is installed. The one of macOS, LibreSSL, is not.
    public static let isInstalled: Bool = {
        let version = ShellCommand("openssl version 2>/dev/null")?.nextLine()
        return version?.hasPrefix("OpenSSL") ?? false
    }()

    private static let lane = Lane(name: "openssl", width: 2)

    /// Creates a key and a certificate for hosts, written as `IP:127.0.0.1` or `DNS:localhost`, in the files `NAME.key`
    /// and `NAME.pem`. The certificate is its own authority. Returns the URL of the certificate.
    /// - Parameter directory: The path of the directory for both.
    @discardableResult
    public static func makeCertificate(_ name: String, for hosts: String..., in directory: String) async throws -> URL {
        let directory = URL(filePath: directory, directoryHint: .isDirectory)
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
        try Data(configuration.utf8).write(to: directory.appending(path: "\(name).cnf"))
        try await lane.run {
            let command = ShellCommand(
                "cd '\(directory.path(percentEncoded: false))' && openssl req -x509 -newkey ec "
                    + "-pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -config \(name).cnf "
                    + "-keyout \(name).key -out \(name).pem 2>&1")
            var lines: [String] = []
            while let line = command?.nextLine() { lines.append(line) }
            guard command?.end() == 0 else { throw Failure(text: lines.joined(separator: "\n")) }
        }
        return directory.appending(path: "\(name).pem", directoryHint: .notDirectory)
    }

    /// Starts a server that uses the certificate `NAME.pem` of a directory, and serves the directory's files.
    /// - Parameters:
    ///   - directory: The path of the directory.
    ///   - name: The name of the certificate, without its extension.
    public static func serve(_ directory: String, certificate name: String) async throws -> OpenSSLServer {
        try await lane.run { try OpenSSLServer(directory, certificate: name) }
    }
}
