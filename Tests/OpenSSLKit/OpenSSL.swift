public import Calotype

/// The command `openssl`, for certificates and for a server that has them.
public enum OpenSSL {
    /// A command that failed.
    public struct Failure: Error {
        /// The output of the command.
        public let text: String
    }

    /// Whether there is one that can do what the tests want. What macOS has by that name cannot.
    public static let isInstalled: Bool = {
        let version = ShellCommand("openssl version 2>/dev/null")?.nextLine()
        return version?.hasPrefix("OpenSSL") ?? false
    }()

    private static let lane = Lane(name: "openssl", width: 2)

    /// Makes a key and a certificate for hosts, written as `IP:127.0.0.1` or `DNS:localhost`: the files `NAME.key` and
    /// `NAME.pem`. The certificate is its own authority. Returns where it is.
    /// - Parameter folder: The path of the folder for both.
    @discardableResult
    public static func makeCertificate(_ name: String, for hosts: String..., in folder: String) async throws -> URL {
        let folder = URL(filePath: folder, directoryHint: .isDirectory)
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
        try Data(configuration.utf8).write(to: folder.appending(path: "\(name).cnf"))
        try await lane.run {
            let command = ShellCommand(
                "cd '\(folder.path(percentEncoded: false))' && openssl req -x509 -newkey ec "
                    + "-pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -config \(name).cnf "
                    + "-keyout \(name).key -out \(name).pem 2>&1")
            var lines: [String] = []
            while let line = command?.nextLine() { lines.append(line) }
            guard command?.end() == 0 else { throw Failure(text: lines.joined(separator: "\n")) }
        }
        return folder.appending(path: "\(name).pem", directoryHint: .notDirectory)
    }

    /// Starts a server that has the certificate `NAME.pem` of a folder, and answers with the folder's files.
    /// - Parameters:
    ///   - folder: The path of the folder.
    ///   - name: The name of the certificate, without its extension.
    public static func serve(_ folder: String, certificate name: String) async throws -> OpenSSLServer {
        try await lane.run { try OpenSSLServer(folder, certificate: name) }
    }
}
