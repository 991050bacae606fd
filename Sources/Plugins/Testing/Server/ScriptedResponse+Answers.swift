public import Calotype

/// Methods that create correct responses.
///
/// A field in `headers` replaces the generated field with the same name: `["Content-Length": "7"]` announces seven
/// bytes regardless of the body. The field `Connection: close` closes the connection after the response.
extension ScriptedResponse {
    /// Returns a response with a body and a `Content-Length` field that announces the length of the body.
    /// - Parameters:
    ///   - data: The body.
    ///   - contentType: The content type; nil for none.
    ///   - status: The status.
    ///   - headers: Additional fields.
    public static func bytes(
        _ data: Data, contentType: String? = nil, status: Int = 200, headers: ScriptedHeaders = [:]
    ) -> ScriptedResponse {
        answer(
            status, headers, defaults: [("Content-Type", contentType), ("Content-Length", String(data.count))],
            body: [.send(data)])
    }

    /// Returns a response with a status and without a body.
    public static func status(_ status: Int, headers: ScriptedHeaders = [:]) -> ScriptedResponse {
        // These statuses have no body by definition and must not announce its length: RFC 9110, 8.6.
        let isBare = status < 200 || status == 204 || status == 304
        return answer(status, headers, defaults: [("Content-Length", isBare ? nil : "0")], body: [])
    }

    /// Returns a response with the status 206, the field `Content-Range`, and a part of a larger body.
    /// - Parameters:
    ///   - whole: The whole body.
    ///   - range: The range of the bytes to send, which is not empty and lies within the body.
    ///   - contentType: The content type; nil for none.
    ///   - headers: Additional fields.
    public static func partial(
        _ whole: Data, range: Range<Int>, contentType: String? = nil, headers: ScriptedHeaders = [:]
    ) -> ScriptedResponse {
        precondition(
            !range.isEmpty && range.lowerBound >= 0 && range.upperBound <= whole.count,
            "the range \(range) is not within \(whole.count) bytes")
        let data = Data(whole.dropFirst(range.lowerBound).prefix(range.count))
        let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole.count)"
        return answer(
            206, headers,
            defaults: [
                ("Content-Type", contentType), ("Content-Range", place), ("Content-Length", String(data.count)),
            ], body: [.send(data)])
    }

    /// Returns a redirect.
    /// - Parameters:
    ///   - location: The target, which is a URL or a path and is sent unchanged.
    ///   - status: The status.
    ///   - headers: Additional fields.
    public static func redirect(
        to location: String, status: Int = 302, headers: ScriptedHeaders = [:]
    ) -> ScriptedResponse {
        answer(status, headers, defaults: [("Location", location), ("Content-Length", "0")], body: [])
    }

    /// Returns a response with an HTML page, which servers often send instead of an image.
    public static func html(_ text: String, status: Int = 200) -> ScriptedResponse {
        bytes(Data(text.utf8), contentType: "text/html; charset=utf-8", status: status)
    }

    /// Returns a response in chunks without an announced length.
    /// - Parameters:
    ///   - chunks: The chunks of the body. Empty ones are skipped, because an empty chunk would end the body.
    ///   - contentType: The content type; nil for none.
    ///   - headers: Additional fields.
    ///   - isTerminated: Whether an empty chunk ends the body. If false, the connection is closed after the last chunk.
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

    /// Returns a response whose body has no announced length and ends when the connection is closed.
    public static func unknownLength(
        _ data: Data, contentType: String? = nil, headers: ScriptedHeaders = [:]
    ) -> ScriptedResponse {
        answer(
            200, headers, defaults: [("Content-Type", contentType), ("Connection", "close")], body: [.send(data)]
        ).closed()
    }

    /// Returns an informational response, such as 100 or 103, that is followed by another response.
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
