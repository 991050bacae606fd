public import Calotype

/// Answers as they should be.
///
/// Fields that are given replace those that would be written: `["Content-Length": "7"]` announces seven bytes whatever
/// follows. After an answer with the field `Connection: close` the connection is closed.
extension ScriptedResponse {
    /// Bytes, announced by their number.
    /// - Parameters:
    ///   - data: The body.
    ///   - contentType: What it is; nil says nothing.
    ///   - status: The status.
    ///   - headers: More fields.
    public static func bytes(
        _ data: Data, contentType: String? = nil, status: Int = 200, headers: ScriptedHeaders = [:]
    ) -> ScriptedResponse {
        answer(
            status, headers, defaults: [("Content-Type", contentType), ("Content-Length", String(data.count))],
            body: [.send(data)])
    }

    /// A status and no body.
    public static func status(_ status: Int, headers: ScriptedHeaders = [:]) -> ScriptedResponse {
        // These have no body by definition, and are not to speak of its length: RFC 9110, 8.6.
        let isBare = status < 200 || status == 204 || status == 304
        return answer(status, headers, defaults: [("Content-Length", isBare ? nil : "0")], body: [])
    }

    /// A piece of something larger, with the status 206 and its `Content-Range`.
    /// - Parameters:
    ///   - whole: All of it.
    ///   - range: Which of its bytes are sent; at least one, and none behind its end.
    ///   - contentType: What it is; nil says nothing.
    ///   - headers: More fields.
    public static func partial(
        _ whole: Data, range: Range<Int>, contentType: String? = nil, headers: ScriptedHeaders = [:]
    ) -> ScriptedResponse {
        precondition(
            !range.isEmpty && range.lowerBound >= 0 && range.upperBound <= whole.count,
            "the bytes \(range) of \(whole.count)")
        let data = Data(whole.dropFirst(range.lowerBound).prefix(range.count))
        let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole.count)"
        return answer(
            206, headers,
            defaults: [
                ("Content-Type", contentType), ("Content-Range", place), ("Content-Length", String(data.count)),
            ], body: [.send(data)])
    }

    /// Sends the client elsewhere.
    /// - Parameters:
    ///   - location: Where to: a whole URL or a path, as it is to be sent.
    ///   - status: The status.
    ///   - headers: More fields.
    public static func redirect(
        to location: String, status: Int = 302, headers: ScriptedHeaders = [:]
    ) -> ScriptedResponse {
        answer(status, headers, defaults: [("Location", location), ("Content-Length", "0")], body: [])
    }

    /// A page, as servers give instead of what was wanted.
    public static func html(_ text: String, status: Int = 200) -> ScriptedResponse {
        bytes(Data(text.utf8), contentType: "text/html; charset=utf-8", status: status)
    }

    /// Bytes in chunks, whose number is not announced.
    /// - Parameters:
    ///   - chunks: The body, a chunk each; empty ones are left out, since such a one would end it.
    ///   - contentType: What it is; nil says nothing.
    ///   - headers: More fields.
    ///   - isTerminated: Whether the last chunk is followed by the mark of the end. When it is not, the connection is
    ///     closed there.
    public static func chunked(
        _ chunks: [Data], contentType: String? = nil, headers: ScriptedHeaders = [:], isTerminated: Bool = true
    ) -> ScriptedResponse {
        var body: [Step] = []
        for chunk in chunks where !chunk.isEmpty {
            var framed = Data("\(String(chunk.count, radix: 16))\r\n".utf8)
            framed.append(chunk)
            framed.append(contentsOf: "\r\n".utf8)
            body.append(.send(framed))
        }
        body.append(isTerminated ? .send(Data("0\r\n\r\n".utf8)) : .close)
        return answer(
            200, headers, defaults: [("Content-Type", contentType), ("Transfer-Encoding", "chunked")],
            body: body)
    }

    /// Bytes whose number is not announced: they end where the connection does.
    public static func unknownLength(
        _ data: Data, contentType: String? = nil, headers: ScriptedHeaders = [:]
    ) -> ScriptedResponse {
        answer(
            200, headers, defaults: [("Content-Type", contentType), ("Connection", "close")], body: [.send(data)]
        ).closed()
    }

    /// An interim answer, and then another answer: 100 and 103 say that the real one is still to come.
    public static func interim(
        _ status: Int, headers: ScriptedHeaders = [:], then response: ScriptedResponse
    ) -> ScriptedResponse {
        ScriptedResponse(head: [Step.send(head(status, headers))] + response.head, body: response.body)
    }

    static func answer(
        _ status: Int, _ headers: ScriptedHeaders, defaults: [(name: String, value: String?)], body: [Step]
    ) -> ScriptedResponse {
        let response = ScriptedResponse(head: [.send(head(status, headers, defaults: defaults))], body: body)
        return headers["Connection"]?.lowercased() == "close" ? response.closed() : response
    }
}
