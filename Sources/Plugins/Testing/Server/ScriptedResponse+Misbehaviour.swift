public import Calotype

/// Answers as they should not be.
extension ScriptedResponse {
    /// A response without bytes. The connection stays open until the client leaves or the server is stopped.
    public static var silence: ScriptedResponse { ScriptedResponse(head: [.hold]) }

    /// A response without bytes that closes the connection.
    public static var hangUp: ScriptedResponse { ScriptedResponse(head: [.close]) }

    /// A response without bytes that resets the connection.
    public static var reset: ScriptedResponse { ScriptedResponse(head: [.reset]) }

    /// These bytes instead of an answer, and then the end of the connection.
    public static func raw(_ data: Data) -> ScriptedResponse { ScriptedResponse(head: [.send(data), .close]) }

    /// A head that never ends: one field after another, a kilobyte each.
    public static var endlessHeaders: ScriptedResponse {
        let field = "X-Filler: \(String(repeating: "x", count: 1012))\r\n"
        return ScriptedResponse(
            head: [
                .send(Data("HTTP/1.1 200 OK\r\n".utf8)),
                .sendForever(Data(String(repeating: field, count: 16).utf8)),
            ])
    }

    /// A body without an announced length that never ends.
    /// - Parameters:
    ///   - piece: What is sent over and over, at least one byte; some kilobytes make it fast.
    ///   - contentType: What it is; nil says nothing.
    public static func endlessBody(repeating piece: Data, contentType: String? = nil) -> ScriptedResponse {
        answer(
            200, [:], defaults: [("Content-Type", contentType), ("Connection", "close")], body: [.sendForever(piece)])
    }

    /// Fewer bytes than are announced, and then the end of the connection.
    /// - Parameters:
    ///   - data: The body.
    ///   - announced: The announced length; nil for the number of bytes there are.
    ///   - count: How many of its bytes are sent.
    ///   - contentType: What it is; nil says nothing.
    public static func truncated(
        _ data: Data, announcing announced: Int? = nil, sending count: Int, contentType: String? = nil
    ) -> ScriptedResponse {
        bytes(data, contentType: contentType, headers: ["Content-Length": String(announced ?? data.count)])
            .cut(after: count)
    }

    /// Announces chunks, sends these bytes, sizes of chunks and all, and closes the connection.
    public static func chunked(wire: Data, contentType: String? = nil) -> ScriptedResponse {
        answer(
            200, [:], defaults: [("Content-Type", contentType), ("Transfer-Encoding", "chunked")], body: [.send(wire)]
        ).closed()
    }
}

/// Ways to spoil any answer.
///
/// Places are counted in bytes sent. One that lies behind the end of the answer means the end, before the connection is
/// closed.
extension ScriptedResponse {
    /// The answer up to a place, and there the end of the connection.
    /// - Parameters:
    ///   - count: How many bytes are sent.
    ///   - part: What they are counted from.
    ///   - byReset: Whether the connection is broken instead of closed.
    public func cut(after count: Int, of part: Part = .body, byReset: Bool = false) -> ScriptedResponse {
        var response = self
        let (steps, offset) = place(count, of: part)
        response[keyPath: steps] = Self.split(self[keyPath: steps], at: offset).before + [byReset ? .reset : .close]
        if steps == \ScriptedResponse.head { response.body = [] }
        return response
    }

    /// The answer with a stall in it: what comes behind that place waits until the gate is open.
    /// - Parameters:
    ///   - count: How many bytes are sent before.
    ///   - part: What they are counted from.
    ///   - gate: Where the rest waits.
    public func stalled(after count: Int, of part: Part = .body, at gate: BlockingGate) -> ScriptedResponse {
        var response = self
        let (steps, offset) = place(count, of: part)
        let (before, after) = Self.split(self[keyPath: steps], at: offset)
        response[keyPath: steps] = before + [.stall(at: gate)] + after
        return response
    }

    /// The answer in small pieces, each sent by a call of its own.
    /// - Parameters:
    ///   - part: What is sent so.
    ///   - pieceSize: How many bytes go at once.
    public func dripped(_ part: Part = .body, pieceSize: Int = 1) -> ScriptedResponse {
        let drip = { (step: Step) -> Step in
            guard case .send(let data, _) = step else { return step }
            return .send(data, pieceSize: pieceSize)
        }
        return ScriptedResponse(head: part == .whole ? head.map(drip) : head, body: body.map(drip))
    }

    /// The answer, and then the end of the connection, whether the answer says so or not.
    public func closed() -> ScriptedResponse { ScriptedResponse(head: head, body: body + [.close]) }

    /// Returns the list of steps that a place is in, and the place in it.
    private func place(_ count: Int, of part: Part) -> (steps: WritableKeyPath<ScriptedResponse, [Step]>, offset: Int) {
        precondition(count >= 0, "a place \(-count) bytes before the answer")
        guard part == .whole else { return (\ScriptedResponse.body, count) }
        let headCount = ScriptedResponse(head: head).byteCount()
        guard count < headCount else { return (\ScriptedResponse.body, count - headCount) }
        return (\ScriptedResponse.head, count)
    }

    /// The steps that send the first `count` bytes, with what waits where these end, and the steps behind.
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
                precondition(!piece.isEmpty, "nothing, sent for ever")
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
