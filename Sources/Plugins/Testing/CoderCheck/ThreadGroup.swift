import Calotype
import Dispatch

/// Threads that do something at the same time.
enum ThreadGroup {
    /// Runs `body` on so many threads, which know their number, and waits for all. The calling thread takes the part of
    /// those that the system does not make.
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
