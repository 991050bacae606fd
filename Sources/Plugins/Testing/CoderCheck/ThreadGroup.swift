import Calotype
import Dispatch

/// A group of concurrent threads.
enum ThreadGroup {
    /// Runs `body` on `count` threads, which receive their number, and waits for all of them. The calling thread does
    /// the work of threads that the system cannot create.
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
