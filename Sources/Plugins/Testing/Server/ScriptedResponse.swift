public import Calotype

/// The steps that a ``ScriptedServer`` executes for a request.
///
/// There are factory methods for correct and incorrect responses, and methods that modify any response:
/// `.bytes(picture, contentType: "image/png").cut(after: 100)`. After the last step the connection waits for the next
/// request, unless a step has closed it or the request asked to close it.
public struct ScriptedResponse: Sendable {
    /// An action of a ``ScriptedServer``, such as sending bytes or closing the connection.
    public enum Step: Sendable {
        /// Sends bytes at once or in pieces, each by a separate call. The client may still read several pieces at once.
        case send(Data, pieceSize: Int? = nil)
        /// Sends these bytes repeatedly until the client leaves or the server is stopped.
        case sendForever(Data)
        /// Waits until the gate is open. The response ends here if the client leaves or closes its sending side, or if
        /// the server is stopped.
        case stall(at: BlockingGate)
        /// Waits until the client leaves or the server is stopped.
        case hold
        /// Closes the connection normally.
        case close
        /// Resets the connection (`ECONNRESET`). Bytes that the client has not received yet may be lost.
        case reset
    }

    /// The part of a response in which bytes are counted.
    public enum Part: Sendable {
        /// The whole response, including informational responses before it.
        case whole
        /// The bytes after the head as they are sent, including the sizes of chunks.
        case body
    }

    /// The steps up to the end of the head.
    var head: [Step]
    /// The steps after the head. A response to a `HEAD` request sends none of their bytes.
    var body: [Step]

    /// Creates a response of these steps. Nothing is added or corrected.
    /// - Parameters:
    ///   - head: The steps up to the end of the head.
    ///   - body: The steps after the head, whose bytes are not sent in response to a `HEAD` request.
    public init(head: [Step], body: [Step] = []) {
        self.head = head
        self.body = body
    }

    /// Returns the number of bytes in a part of this response; `Int.max` if the part is endless. Fewer bytes are sent
    /// if the connection ends early.
    public func byteCount(of part: Part = .whole) -> Int {
        var count = 0
        for step in part == .whole ? head + body : body {
            switch step {
            case .send(let data, _): count += data.count
            case .sendForever: return .max
            case .stall, .hold, .close, .reset: break
            }
        }
        return count
    }
}
