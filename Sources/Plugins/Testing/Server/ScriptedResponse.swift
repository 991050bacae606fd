public import Calotype

/// The steps that a ``ScriptedServer`` takes for a request, one after another.
///
/// There are constructors for answers as they should be and for some that should not, and methods that spoil any
/// answer: `.bytes(picture, contentType: "image/png").cut(after: 100)`. Behind the last step the connection waits for
/// the next request, unless a step has closed it or the request said that it is the last.
public struct ScriptedResponse: Sendable {
    /// One thing that a server does.
    public enum Step: Sendable {
        /// Sends bytes: as fast as they are taken, or, with a size, in pieces of so many bytes, each by a call of its
        /// own. What the client reads at once is for the system to say.
        case send(Data, pieceSize: Int? = nil)
        /// Sends these bytes over and over, until the client leaves or the server is stopped.
        case sendForever(Data)
        /// Waits until the gate is open. When the client leaves or the server is stopped, waits no longer and does
        /// nothing more. A client that has closed its sending side has left.
        case stall(at: BlockingGate)
        /// Waits until the client leaves or the server is stopped.
        case hold
        /// Closes the connection in an orderly way.
        case close
        /// Breaks the connection: the client's next call fails with `ECONNRESET`. What it has not received by then it
        /// may never receive.
        case reset
    }

    /// The part of an answer from which places are counted.
    public enum Part: Sendable {
        /// The answer from its first byte on; with interim answers, from the first byte of these.
        case whole
        /// The part behind the head, as it is sent: with the sizes of chunks, if there are chunks.
        case body
    }

    /// The steps up to the end of the head.
    var head: [Step]
    /// The steps behind the head. Of these, an answer to a `HEAD` request sends nothing.
    var body: [Step]

    /// An answer of these steps, in which nothing is added and nothing is corrected.
    /// - Parameters:
    ///   - head: The steps up to the end of the head.
    ///   - body: The steps behind the head, whose bytes are not sent in answer to a `HEAD` request.
    public init(head: [Step], body: [Step] = []) {
        self.head = head
        self.body = body
    }

    /// Returns the number of bytes of this answer, or of its body, if nothing ends it before; `Int.max` if it sends
    /// forever.
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
