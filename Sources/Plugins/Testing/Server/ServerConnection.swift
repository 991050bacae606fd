import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A connection of a server. It reads requests and executes their responses.
struct ServerConnection: Sendable {
    /// The state of the connection after a response.
    private enum Ending {
        /// The connection stays open for the next request.
        case open
        /// The connection is closed.
        case close
        /// The connection is reset.
        case reset
        /// The client has left, or the server was stopped.
        case lost
    }

    /// The maximum number of bytes to send by one call. The log counts the sent bytes after each call.
    private static let blockSize = 64 << 10
    private static let receiveSize = 16 << 10

    private let number: Int
    private let descriptor: Int32
    private let script: ServerScript
    private let log: ServerLog

    /// Creates a connection that owns its descriptor. If the server was stopped, closes the descriptor and returns nil.
    init?(_ descriptor: Int32, script: ServerScript, log: ServerLog) {
        guard let number = log.begin(descriptor) else {
            close(descriptor)
            return nil
        }
        self.number = number
        self.descriptor = descriptor
        self.script = script
        self.log = log
    }

    /// Serves the connection until it ends. Blocks.
    func run() {
        var parser = RequestParser()
        while true {
            let request: ScriptedRequest
            do throws(RequestParser.Refusal) {
                guard let next = try nextRequest(&parser) else { return end(.lost) }
                request = next
            } catch {
                return refuse(error.status)
            }
            let (index, recorded) = log.record(request)
            let ending = answer(recorded, index: index)
            if ending != .open { end(ending) }
            log.finish(index, ending == .lost ? .abandoned : .played)
            if ending != .open { return }
        }
    }

    private func end(_ ending: Ending) {
        log.end(number)
        switch ending {
        case .open, .close: Socket.finish(descriptor)
        case .reset: Socket.reset(descriptor)
        case .lost: close(descriptor)
        }
    }

    // MARK: Requests

    /// Returns the next request, or nil if the connection ends before a complete request has arrived.
    private func nextRequest(_ parser: inout RequestParser) throws(RequestParser.Refusal) -> ScriptedRequest? {
        while true {
            if let request = try parser.next(connection: number) { return request }
            let count = withUnsafeTemporaryAllocation(byteCount: Self.receiveSize, alignment: 1) {
                (buffer: UnsafeMutableRawBufferPointer) -> Int in
                let count = Socket.receive(into: buffer, from: descriptor)
                parser.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                return count
            }
            if count == 0 { return nil }
        }
    }

    private func refuse(_ status: Int) {
        let text = Data("the request is invalid or not supported\n".utf8)
        let refusal = ScriptedResponse.bytes(
            text, contentType: "text/plain", status: status, headers: ["Connection": "close"])
        end(play(refusal.head + refusal.body, headCount: refusal.head.count, for: nil))
    }

    // MARK: Answers

    private func answer(_ request: ScriptedRequest, index: Int) -> Ending {
        let response = script.response(to: request)
        let body = request.method == "HEAD" ? response.body.filter { !isSending($0) } : response.body
        let ending = play(response.head + body, headCount: response.head.count, for: index)
        return ending == .open && request.wantsClose ? .close : ending
    }

    private func isSending(_ step: ScriptedResponse.Step) -> Bool {
        switch step {
        case .send, .sendForever: true
        case .stall, .hold, .close, .reset: false
        }
    }

    /// Executes the steps of a response, the first `headCount` of which belong to the head.
    /// - Parameter request: The index of the request in the log; nil if the request is not in the log.
    private func play(_ steps: [ScriptedResponse.Step], headCount: Int, for request: Int?) -> Ending {
        for (index, step) in steps.enumerated() {
            switch step {
            case .send(let data, let pieceSize):
                // A head and a body without delays are sent together.
                let hasMore = index + 1 == headCount && pieceSize == nil && isPlain(steps[headCount...].first)
                guard transmit(data, pieceSize: pieceSize, hasMore: hasMore, for: request) else { return .lost }
            case .sendForever(let piece):
                precondition(!piece.isEmpty, "the bytes to send forever are empty")
                while transmit(piece, for: request) {}
                return .lost
            case .stall(let gate):
                guard wait(at: gate) else { return .lost }
            case .hold:
                _ = Socket.waitForHangUp(of: descriptor)
                return .lost
            case .close:
                return .close
            case .reset:
                return .reset
            }
        }
        return .open
    }

    /// Returns whether a step sends at least one byte, without splitting the bytes into pieces of a given size.
    private func isPlain(_ step: ScriptedResponse.Step?) -> Bool {
        guard case .send(let data, nil) = step else { return false }
        return !data.isEmpty
    }

    /// Sends bytes. Returns false if the connection is gone.
    private func transmit(_ data: Data, pieceSize: Int? = nil, hasMore: Bool = false, for request: Int?) -> Bool {
        let pieceSize = min(max(1, pieceSize ?? Self.blockSize), Self.blockSize)
        return data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
            var sent = 0
            while sent < bytes.count {
                let piece = UnsafeRawBufferPointer(rebasing: bytes[sent..<min(sent + pieceSize, bytes.count)])
                guard let count = Socket.transmit(piece, hasMore: hasMore, to: descriptor) else { return false }
                sent += count
                if let request { log.add(count, to: request) }
            }
            return true
        }
    }

    /// Waits at a gate. Returns false if the connection is gone, or if the system cannot create a pipe for the wait.
    private func wait(at gate: BlockingGate) -> Bool {
        guard let opening = WakePipe() else { return false }
        guard let ticket = gate.arrive({ opening.wake() }) else { return true }
        defer { gate.leave(ticket) }
        return Socket.waitForHangUp(of: descriptor, or: opening.readEnd)
    }
}
