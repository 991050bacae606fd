import CalotypeStandard

#if HTTP
import CalotypeTesting

/// Where files are to be had as pictures of the web are: at a small server on the loopback interface.
struct PictureStand: Sendable {
    /// Where its pictures come from, in a few words.
    static let origin = "the network"

    private static let host = "127.0.0.1"
    private let server: ScriptedServer

    /// Opens the stand.
    init() throws { server = try ScriptedServer() }

    /// What there is to say of it.
    var note: String { "Files are served at \(server.url("/", host: Self.host)). URLs are loaded directly." }

    /// How often it was asked.
    var requestCount: Int { server.requestCount }

    /// Offers a source. Blocks. Throws where it is a file that cannot be read.
    /// - Parameter number: What tells it from the other sources.
    func offer(_ source: String, number: Int) throws -> Offer {
        guard !Offer.isURL(source) else { return Offer(url: source) }
        let file = PictureFile(source)
        // The number is enough of a name: those of files would have to be escaped.
        let path = "/\(number)"
        let format = ImageManager(plugins: [.standard]).format(named: file.fileExtension)
        let type = format?.mimeTypes.first ?? "application/octet-stream"
        server.answer(path, with: .bytes(try file.bytes(), contentType: type))
        return Offer(file, servedAt: server.url(path, host: Self.host))
    }

    /// Forgets what was offered under a number.
    func withdraw(_ number: Int) { server.answer("/\(number)", with: .status(410)) }

    /// Closes it.
    func close() { server.stop() }
}
#else
/// Where files are to be had when nothing is built in that speaks with a server.
struct PictureStand: Sendable {
    /// Where its pictures come from, in a few words.
    static let origin = "files"

    /// Opens the stand.
    init() throws {}

    /// What there is to say of it.
    var note: String { "The HTTP plugin is not built in. Images are loaded from files, not over the network." }

    /// How often it was asked: never, there is no server.
    var requestCount: Int { 0 }

    /// Offers a source.
    func offer(_ source: String, number: Int) throws -> Offer {
        Offer.isURL(source) ? Offer(url: source) : Offer(PictureFile(source))
    }

    /// Forgets what was offered under a number.
    func withdraw(_ number: Int) {}

    /// Closes it.
    func close() {}
}
#endif
