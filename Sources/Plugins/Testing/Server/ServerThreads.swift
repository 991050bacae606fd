import Calotype
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The threads of a server, none of which outlives it.
final class ServerThreads: Sendable {
    private struct State {
        /// The number of threads that have been started and have not ended.
        var liveCount = 0
        /// Those of them that have begun.
        var running: [pthread_t] = []
    }

    private let state = Lock(State())
    /// Signalled by each thread at its end.
    private let ending = DispatchSemaphore(value: 0)

    /// Runs `body` on a new thread. Throws when the system makes none.
    func start(_ body: @escaping @Sendable () -> Void) throws(ImageError) {
        state.withLock { $0.liveCount += 1 }
        do throws(ImageError) {
            try DetachedThread.start(name: "ct-server") {
                self.state.withLock { $0.running.append(pthread_self()) }
                body()
                self.end()
            }
        } catch {
            state.withLock { $0.liveCount -= 1 }
            throw error
        }
    }

    /// Waits until all have come to their end: all others, when the calling thread is one of them. To be called when
    /// nobody starts threads any more but those threads themselves.
    func waitForAll() {
        let current = pthread_self()
        while true {
            let isDone = state.withLock { state -> Bool in
                let ownCount = state.running.contains { pthread_equal($0, current) != 0 } ? 1 : 0
                return state.liveCount == ownCount
            }
            if isDone { return }
            ending.wait()
        }
    }

    /// The calling thread's last word.
    private func end() {
        let current = pthread_self()
        state.withLock { state in
            state.liveCount -= 1
            state.running.removeAll { pthread_equal($0, current) != 0 }
        }
        ending.signal()
    }
}
