import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The server of `openssl`: TLS on the loopback interface. It answers one request after another with a file of its
/// directory, which contains the whole response, head and body. It ends with the object.
public final class OpenSSLServer: Sendable {
    /// The port that it listens on.
    public let port: Int
    private let command: ShellCommand
    private let process: pid_t

    /// Starts the server. Blocks until it listens.
    init(_ directory: String, certificate name: String) throws {
        // The shell prints its process ID, and then becomes the server, which prints its port.
        let command = ShellCommand(
            "cd '\(directory)' && echo $$ && exec openssl s_server -accept 127.0.0.1:0 -cert \(name).pem "
                + "-key \(name).key -HTTP 2>/dev/null </dev/null")
        guard let command, let process = command.nextLine().flatMap({ pid_t($0) }) else {
            throw OpenSSL.Failure(text: "no shell")
        }
        self.command = command
        self.process = process
        var port: Int?
        while port == nil, let line = command.nextLine() {
            if line.hasPrefix("ACCEPT"), let digits = line.split(separator: ":").last { port = Int(digits) }
        }
        guard let port else { throw OpenSSL.Failure(text: "openssl does not listen") }
        self.port = port
    }

    deinit {
        kill(process, SIGKILL)
        command.end()
    }
}
