import Calotype
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The threads of a server.
final class ServerThreads: Sendable {
    private struct State {
        /// The number of threads that were started and have not ended, including those that do not run yet.
        var liveCount = 0
        /// The threads that have begun to run and have not ended.
        var running: [pthread_t] = []
    }

    private let state = Lock(State())
    /// A semaphore that each thread signals at its end.
    private let ending = DispatchSemaphore(value: 0)

    /// Runs `body` on a new thread. Throws if the system cannot create a thread.
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

    /// Waits until all threads except the calling one have ended. Call this only when no code outside these threads can
    /// start further threads.
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

    /// Records the end of the calling thread.
    private func end() {
        let current = pthread_self()
        state.withLock { state in
            state.liveCount -= 1
            state.running.removeAll { pthread_equal($0, current) != 0 }
        }
        ending.signal()
    }
}
