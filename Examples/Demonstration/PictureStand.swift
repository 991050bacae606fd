import CalotypeStandard

#if HTTP
import CalotypeTesting

/// A small HTTP server on the loopback interface, which serves files as a web server would.
struct PictureStand: Sendable {
    /// The origin of the pictures, as the heading of the table names it.
    static let origin = "the network"

    private static let host = "127.0.0.1"
    private let server: ScriptedServer

    /// Starts the server.
    init() throws { server = try ScriptedServer() }

    /// The explanation of the origin of pictures that is printed first.
    var note: String { "Files are served at \(server.url("/", host: Self.host)). URLs are loaded directly." }

    /// The number of requests that the server has received.
    var requestCount: Int { server.requestCount }

    /// Makes a picture loadable, and returns its offer. A file is read and then served; a URL is loaded directly.
    /// Blocks. Throws `ImageError` if the file cannot be read.
    /// - Parameters:
    ///   - source: The path or URL of the picture.
    ///   - number: The number of the picture, which is its path on the server.
    func offer(_ source: String, number: Int) throws -> Offer {
        guard !Offer.isURL(source) else { return Offer(url: source) }
        let file = PictureFile(source)
        // The number suffices as a name; file names would have to be escaped.
        let path = "/\(number)"
        let format = ImageManager(plugins: [.standard]).format(named: file.fileExtension)
        let type = format?.mimeTypes.first ?? "application/octet-stream"
        server.answer(path, with: .bytes(try file.bytes(), contentType: type))
        return Offer(file, servedAt: server.url(path, host: Self.host))
    }

    /// Stops serving the picture with a number. The server then answers with status 410, Gone.
    func withdraw(_ number: Int) { server.answer("/\(number)", with: .status(410)) }

    /// Stops the server.
    func close() { server.stop() }
}
#else
/// The origin of pictures in a build without HTTP: the files themselves.
struct PictureStand: Sendable {
    /// The origin of the pictures, as the heading of the table names it.
    static let origin = "files"

    /// Creates the origin of pictures. There is no server to start.
    init() throws {}

    /// The explanation of the origin of pictures that is printed first.
    var note: String { "The HTTP plugin is not built in. Images are loaded from files, not over the network." }

    /// The number of requests to a server: always 0, because there is no server.
    var requestCount: Int { 0 }

    /// Returns an offer of the picture at a path or URL.
    func offer(_ source: String, number: Int) throws -> Offer {
        Offer.isURL(source) ? Offer(url: source) : Offer(PictureFile(source))
    }

    /// Does nothing, because no server serves the picture.
    func withdraw(_ number: Int) {}

    /// Does nothing, because there is no server to stop.
    func close() {}
}
#endif
