import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The record of a server's events, with the tasks that wait for them.
final class ServerLog: Sendable {
    private struct State {
        var requests: [ScriptedRequest] = []
        /// The number of requests by path. Also contains the number of requests for each path with a query.
        var requestCounts: [String: Int] = [:]
        /// The number of ended responses.
        var answerCount = 0
        var bytesSent = 0
        var connectionCount = 0
        /// The descriptors of the open connections, by connection number.
        var open: [Int: Int32] = [:]
        var isStopped = false
        var waiting: [Waiter] = []
    }

    private struct Waiter {
        let isReached: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let state = Lock(State())

    var requests: [ScriptedRequest] { state.withLock { $0.requests } }
    var requestCount: Int { state.withLock { $0.requests.count } }
    var bytesSent: Int { state.withLock { $0.bytesSent } }
    var connectionCount: Int { state.withLock { $0.connectionCount } }
    var openConnectionCount: Int { state.withLock { $0.open.count } }

    func requestCount(of path: String) -> Int { state.withLock { $0.requestCounts[path, default: 0] } }

    // MARK: Recording

    /// Records a new connection. Returns its number, or nil if the server has been stopped.
    func begin(_ descriptor: Int32) -> Int? {
        change { state -> Int? in
            guard !state.isStopped else { return nil }
            state.connectionCount += 1
            state.open[state.connectionCount] = descriptor
            return state.connectionCount
        }
    }

    /// Removes a connection. No other thread uses its descriptor afterward.
    func end(_ connection: Int) {
        change { state -> Void in state.open[connection] = nil }
    }

    /// Records a request. Returns its index, and the request with its ``ScriptedRequest/attempt``.
    func record(_ request: ScriptedRequest) -> (index: Int, request: ScriptedRequest) {
        change { state -> (index: Int, request: ScriptedRequest) in
            var request = request
            if request.target != request.path { state.requestCounts[request.target, default: 0] += 1 }
            state.requestCounts[request.path, default: 0] += 1
            request.attempt = state.requestCounts[request.path, default: 1]
            state.requests.append(request)
            return (state.requests.count - 1, request)
        }
    }

    /// Adds `count` to the number of bytes that were sent for a request, and to the total number of bytes.
    func add(_ count: Int, to request: Int) {
        state.withLock { state in
            state.requests[request].bytesSent += count
            state.bytesSent += count
        }
    }

    /// Records the end of a response.
    func finish(_ request: Int, _ outcome: ScriptedRequest.Outcome) {
        change { state -> Void in
            state.requests[request].outcome = outcome
            state.answerCount += 1
        }
    }

    /// Refuses new connections and shuts down the open ones, which ends all waits on them.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            for descriptor in state.open.values { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    // MARK: Waiting

    func waitForRequests(_ count: Int) async { await wait { $0.requests.count >= count } }

    func waitForRequests(_ count: Int, of path: String) async {
        await wait { $0.requestCounts[path, default: 0] >= count }
    }

    func waitForAnswers(_ count: Int) async { await wait { $0.answerCount >= count } }

    func waitForOpenConnections(atMost count: Int) async { await wait { $0.open.count <= count } }

    private func wait(until isReached: @escaping @Sendable (State) -> Bool) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) -> Void in
            let isNow = state.withLock { state -> Bool in
                if isReached(state) { return true }
                state.waiting.append(Waiter(isReached: isReached, continuation: continuation))
                return false
            }
            if isNow { continuation.resume() }
        }
    }

    /// Changes the state and resumes the waiters whose condition holds.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, reached) = state.withLock { state -> (Result, [Waiter]) in
            let result = body(&state)
            guard !state.waiting.isEmpty else { return (result, []) }
            var reached: [Waiter] = []
            var waiting: [Waiter] = []
            for waiter in state.waiting {
                if waiter.isReached(state) { reached.append(waiter) } else { waiting.append(waiter) }
            }
            state.waiting = waiting
            return (result, reached)
        }
        for waiter in reached { waiter.continuation.resume() }
        return result
    }
}
