public import Calotype

/// Members that create incorrect responses.
extension ScriptedResponse {
    /// A response without bytes. The connection stays open until the client leaves or the server is stopped.
    public static var silence: ScriptedResponse { ScriptedResponse(head: [.hold]) }

    /// A response without bytes that closes the connection.
    public static var hangUp: ScriptedResponse { ScriptedResponse(head: [.close]) }

    /// A response without bytes that resets the connection.
    public static var reset: ScriptedResponse { ScriptedResponse(head: [.reset]) }

    /// Returns a response that consists of exactly the given bytes. The connection is closed afterward.
    public static func raw(_ data: Data) -> ScriptedResponse { ScriptedResponse(head: [.send(data), .close]) }

    /// A response whose head never ends. Each field of the head is about a kilobyte long.
    public static var endlessHeaders: ScriptedResponse {
        let field = "X-Filler: \(String(repeating: "x", count: 1012))\r\n"
        return ScriptedResponse(
            head: [
                .send(Data("HTTP/1.1 200 OK\r\n".utf8)),
                .sendForever(Data(String(repeating: field, count: 16).utf8)),
            ])
    }

    /// Returns a response whose body never ends and has no announced length.
    /// - Parameters:
    ///   - piece: The bytes to repeat, at least one. A piece of several kilobytes makes the response fast.
    ///   - contentType: The content type; nil for none.
    public static func endlessBody(repeating piece: Data, contentType: String? = nil) -> ScriptedResponse {
        answer(
            200, [:], defaults: [("Content-Type", contentType), ("Connection", "close")], body: [.sendForever(piece)])
    }

    /// Returns a response whose body is shorter than announced. The connection is closed after the body.
    /// - Parameters:
    ///   - data: The body.
    ///   - announced: The announced length; nil for the length of `data`.
    ///   - count: The number of bytes to send.
    ///   - contentType: The content type; nil for none.
    public static func truncated(
        _ data: Data, announcing announced: Int? = nil, sending count: Int, contentType: String? = nil
    ) -> ScriptedResponse {
        bytes(data, contentType: contentType, headers: ["Content-Length": String(announced ?? data.count)])
            .cut(after: count)
    }

    /// Returns a response that announces a chunked body and then sends `wire` unchanged. The connection is closed
    /// afterward.
    /// - Parameters:
    ///   - wire: The body, with the sizes of the chunks, which may be wrong.
    ///   - contentType: The content type; nil for none.
    public static func chunked(wire: Data, contentType: String? = nil) -> ScriptedResponse {
        answer(
            200, [:], defaults: [("Content-Type", contentType), ("Transfer-Encoding", "chunked")], body: [.send(wire)]
        ).closed()
    }
}

/// Methods that modify any response. A byte count beyond the end of the response means the end.
extension ScriptedResponse {
    /// Returns this response, cut off after `count` bytes. The connection is then closed or reset.
    /// - Parameters:
    ///   - count: The number of bytes to send.
    ///   - part: The part in which the bytes are counted.
    ///   - byReset: Whether the connection is reset instead of closed.
    public func cut(after count: Int, of part: Part = .body, byReset: Bool = false) -> ScriptedResponse {
        var response = self
        let (steps, offset) = place(count, of: part)
        response[keyPath: steps] = Self.split(self[keyPath: steps], at: offset).before + [byReset ? .reset : .close]
        if steps == \ScriptedResponse.head { response.body = [] }
        return response
    }

    /// Returns this response with a pause after `count` bytes. The rest is sent when the gate is open.
    /// - Parameters:
    ///   - count: The number of bytes before the stall.
    ///   - part: The part in which the bytes are counted.
    ///   - gate: The gate at which the rest waits.
    public func stalled(after count: Int, of part: Part = .body, at gate: BlockingGate) -> ScriptedResponse {
        var response = self
        let (steps, offset) = place(count, of: part)
        let (before, after) = Self.split(self[keyPath: steps], at: offset)
        response[keyPath: steps] = before + [.stall(at: gate)] + after
        return response
    }

    /// Returns this response, split into small pieces. Each piece is sent by a separate call.
    /// - Parameters:
    ///   - part: The part to split.
    ///   - pieceSize: The number of bytes in each piece.
    public func dripped(_ part: Part = .body, pieceSize: Int = 1) -> ScriptedResponse {
        let drip = { (step: Step) -> Step in
            guard case .send(let data, _) = step else { return step }
            return .send(data, pieceSize: pieceSize)
        }
        return ScriptedResponse(head: part == .whole ? head.map(drip) : head, body: body.map(drip))
    }

    /// Returns the response followed by a step that closes the connection. Adds no field that announces this.
    public func closed() -> ScriptedResponse { ScriptedResponse(head: head, body: body + [.close]) }

    /// Returns the key path of the steps that contain a position, and the byte offset of the position in these steps.
    private func place(_ count: Int, of part: Part) -> (steps: WritableKeyPath<ScriptedResponse, [Step]>, offset: Int) {
        precondition(count >= 0, "the byte count \(count) is negative")
        guard part == .whole else { return (\ScriptedResponse.body, count) }
        let headCount = ScriptedResponse(head: head).byteCount()
        guard count < headCount else { return (\ScriptedResponse.body, count - headCount) }
        return (\ScriptedResponse.head, count)
    }

    /// Splits a list of steps after `count` bytes, if necessary within a step. A stall right at the split is part of
    /// `before`.
    private static func split(_ steps: [Step], at count: Int) -> (before: [Step], after: [Step]) {
        var before: [Step] = []
        var missing = count
        for (index, step) in steps.enumerated() {
            let rest = Array(steps[(index + 1)...])
            switch step {
            case .send(let data, let pieceSize):
                guard data.count > missing else {
                    before.append(step)
                    missing -= data.count
                    continue
                }
                before.append(.send(data.prefix(missing), pieceSize: pieceSize))
                return (before, [.send(data.dropFirst(missing), pieceSize: pieceSize)] + rest)
            case .sendForever(let piece):
                precondition(!piece.isEmpty, "the bytes to send forever are empty")
                while missing >= piece.count {
                    before.append(.send(piece))
                    missing -= piece.count
                }
                before.append(.send(piece.prefix(missing)))
                return (before, [.send(piece.dropFirst(missing)), step] + rest)
            case .stall, .hold:
                before.append(step)
            case .close, .reset:
                return (before, [step] + rest)
            }
        }
        return (before, [])
    }
}
