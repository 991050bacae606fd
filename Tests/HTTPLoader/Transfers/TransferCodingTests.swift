#if HTTP
import Calotype
import CalotypeHTTP
import CalotypeTesting
import Foundation
import Testing

/// Compressed responses that were not requested.
@Suite(.timeLimit(.minutes(5)))
struct TransferCodingTests {
    private let server: ScriptedServer
    private let loader = CurlImageLoader()
    private let picture = RawImageCoder.file(width: 4, height: 3)

    init() throws { server = try ScriptedServer() }

    /// 4 MiB of zeros, compressed twice. Made by Python's `gzip`.
    private static var bomb: Data { Data(base64Encoded: bombText) ?? Data() }
    private static let bombText =
        "H4sIAAAAAAACA5Pv5mAAASbmtwcZGYGMJoX/6/M8HBgZRsEoGAWjYBSMglEwCkbBKBgFo2AUjIJRMNRBjXSWg7sgA4MDAwBZZBRb"
        + "AhAAAA=="

    /// Returns a response with these header lines, and one chunk.
    private static func answer(_ lines: String, chunk: Data) -> ScriptedResponse {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\(lines)\r\n\r\n"
        let body = Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n0\r\n\r\n".utf8)
        return ScriptedResponse(head: [.send(Data(head.utf8))], body: [.send(body), .close])
    }

    @Test(arguments: [
        "Transfer-Encoding: gzip, gzip, chunked",
        "transfer-encoding:GZIP,gzip,chunked",
        "TRANSFER-ENCODING:\t gzip ,\tgzip , chunked",
        "Transfer-Encoding: gzip, gzip\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip, gzip",
        "Transfer-Encoding: identity\r\nX: y\r\nTransfer-Encoding: gzip, gzip, chunked",
        "Transfer-Encoding: chunked,\r\n gzip, gzip",
        "Transfer-Encoding:\r\n\tgzip, gzip, chunked",
        "Transfer-Encoding: x-gzip, gzip, chunked",
    ])
    func `a compressed transfer coding is refused at the head, and not decompressed`(lines: String) async throws {
        server.answer("/packed", with: Self.answer(lines, chunk: Self.bomb))
        let sink = CollectingSink()
        let request = LoadRequest(url: server.url("/packed"), context: ResolvedContext(.patient))
        let error = try #require(await imageError { try await loader.load(request, into: sink) })
        #expect(error.code == .loadFailed)
        #expect(error.message.lowercased().contains("gzip"), "\(error)")
        #expect(error.message.contains("127.0.0.1:\(server.port)"), "\(error)")
        #expect(error.advice != nil)
        #expect(sink.heads.isEmpty)
        #expect(sink.data.isEmpty)
        // The next load is unaffected.
        server.answer("/picture.raw", with: .bytes(picture))
        #expect(try await loader.fetch(server.url("/picture.raw")).data == picture)
    }

    @Test(arguments: [
        "deflate", "br", "zstd", "compress", "none", "chunked;a=b", "x;q=\"a, chunked\"", "chunked\u{e9}",
    ])
    func `any other coding is refused, and so are parameters`(coding: String) async throws {
        server.answer("/packed", with: Self.answer("Transfer-Encoding: \(coding)", chunk: picture))
        let error = await imageError { try await loader.fetch(server.url("/packed")) }
        #expect(error?.code == .loadFailed)
        #expect(error?.message.contains("transfer coding") == true, "\(String(describing: error))")
    }

    @Test func `transfer codings of interim responses and redirects are refused too`() async throws {
        let headers: ScriptedHeaders = ["Transfer-Encoding": "gzip"]
        server.answer("/picture.raw", with: .bytes(picture))
        server.answer("/early", with: .interim(103, headers: headers, then: .bytes(picture)))
        server.answer("/away", with: .redirect(to: "/picture.raw", headers: headers))
        for path in ["/early", "/away"] {
            let error = await imageError { try await loader.fetch(server.url(path)) }
            #expect(error?.message.contains("'gzip'") == true, "\(path): \(String(describing: error))")
        }
        #expect(server.requestCount(of: "/picture.raw") == 0)
    }

    @Test(arguments: ["chunked", "Chunked", " , chunked,", "chunked\r\nTransfer-Encoding: chunked"])
    func `chunked bodies are accepted in any notation`(coding: String) async throws {
        server.answer("/chunked", with: Self.answer("Transfer-Encoding: \(coding)", chunk: picture))
        #expect(try await loader.fetch(server.url("/chunked")).data == picture)
    }

    @Test func `trailer fields do not affect the body`() async throws {
        let wire = Data("\(String(picture.count, radix: 16))\r\n".utf8) + picture
        let trailer = Data("\r\n0\r\nTransfer-Encoding: gzip\r\n\r\n".utf8)
        server.answer("/chunked", with: .chunked(wire: wire + trailer))
        #expect(try await loader.fetch(server.url("/chunked")).data == picture)
    }
}
#endif
