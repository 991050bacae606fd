import CalotypeStandard

#if HTTP
import CalotypeTesting

/// A small server on the loopback interface that serves files like pictures on the web.
struct PictureStand: Sendable {
    /// The origin of its pictures, in a few words.
    static let origin = "the network"

    private static let host = "127.0.0.1"
    private let server: ScriptedServer

    /// Starts the server.
    init() throws { server = try ScriptedServer() }

    /// A note for the user.
    var note: String { "Files are served at \(server.url("/", host: Self.host)). URLs are loaded directly." }

    /// The number of requests so far.
    var requestCount: Int { server.requestCount }

    /// Offers a source. Blocks. Throws if it is a file that cannot be read.
    /// - Parameter number: The number that identifies the source.
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

    /// Withdraws the offer with a number.
    func withdraw(_ number: Int) { server.answer("/\(number)", with: .status(410)) }

    /// Stops the server.
    func close() { server.stop() }
}
#else
/// The picture source of a build without the HTTP plugin.
struct PictureStand: Sendable {
    /// The origin of its pictures, in a few words.
    static let origin = "files"

    /// Creates the picture source.
    init() throws {}

    /// A note for the user.
    var note: String { "The HTTP plugin is not built in. Images are loaded from files, not over the network." }

    /// The number of requests: 0, since there is no server.
    var requestCount: Int { 0 }

    /// Offers a source.
    func offer(_ source: String, number: Int) throws -> Offer {
        Offer.isURL(source) ? Offer(url: source) : Offer(PictureFile(source))
    }

    /// Withdraws the offer with a number.
    func withdraw(_ number: Int) {}

    /// Does nothing, since there is no server.
    func close() {}
}
#endif
