#if PNG && HTTP
import Foundation

/// The server that `openssl` has: TLS on the loopback interface, with a certificate that is its own authority. It
/// answers with the files of a sandbox's folder, in which whole answers stand, head and body.
struct SecureServer {
    private struct Failure: Error {}

    /// Where it listens.
    let port: Int
    /// The path of its certificate.
    let authority: String
    private let process: Process

    /// Starts one. Blocks until it listens.
    init(in sandbox: Sandbox) throws {
        authority = sandbox.path("own.pem")
        let extensions = "basicConstraints = critical, CA:TRUE\nsubjectAltName = IP:127.0.0.1"
        let configuration = """
            [req]
            prompt = no
            distinguished_name = name
            x509_extensions = extensions
            [name]
            CN = Calotype tests
            [extensions]
            \(extensions)
            """
        try sandbox.write(Data(configuration.utf8), as: "own.cnf")
        let (process, output) = try Self.shell(
            """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -config own.cnf \
                -keyout own.key -out own.pem 2>/dev/null &&
            exec openssl s_server -accept 127.0.0.1:0 -cert own.pem -key own.key -HTTP 2>/dev/null
            """, in: sandbox.folder)
        var (text, port): (String, Int?) = ("", nil)
        while port == nil {
            let data = output.availableData
            guard !data.isEmpty else { throw Failure() }
            text += String(decoding: data, as: UTF8.self)
            for line in text.split(separator: "\n").dropLast(text.hasSuffix("\n") ? 0 : 1)
            where line.hasPrefix("ACCEPT") {
                port = line.split(separator: ":").last.flatMap { Int($0) }
            }
        }
        guard let port else { throw Failure() }
        self.port = port
        self.process = process
    }

    /// Ends it.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Whether there is an `openssl` that can do this. What macOS has by that name cannot.
    static let isPossible: Bool = {
        guard let (process, output) = try? shell("openssl version 2>/dev/null", in: "/") else { return false }
        let text = String(decoding: (try? output.readToEnd()) ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.hasPrefix("OpenSSL")
    }()

    /// A command of the shell, with what it says.
    private static func shell(_ command: String, in folder: String) throws -> (Process, FileHandle) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = URL(filePath: folder, directoryHint: .isDirectory)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        return (process, output.fileHandleForReading)
    }
}
#endif
