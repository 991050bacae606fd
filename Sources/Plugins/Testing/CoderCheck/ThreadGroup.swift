import Calotype
import Dispatch

/// A group of concurrent threads.
enum ThreadGroup {
    /// Runs `body` on `count` threads and waits for all of them. The argument is the thread's index. If the system
    /// cannot create a thread, the calling thread runs `body` instead.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let running = DispatchGroup()
        for thread in 0..<count {
            running.enter()
            do throws(ImageError) {
                try DetachedThread.start(name: "ct-check-\(thread)") {
                    body(thread)
                    running.leave()
                }
            } catch {
                body(thread)
                running.leave()
            }
        }
        running.wait()
    }
}
