import Calotype
import Dispatch

/// Functions shared by the checks of caches.
enum CacheTrial {
    /// Pairs of different keys that a faulty cache may confuse, for example by reading the first key as a pattern.
    static let lookalikes = [
        ("c_t", "cat"), ("c%t", "coat"), ("c*t", "cart"), ("c?t", "cat"), ("[c]at", "cat"), ("Cat", "cat"),
        ("a", "a\0b"), ("a\0", "a"), ("caf\u{e9}", "cafe\u{301}"),
    ]
    /// The advice for a cache that confuses keys of ``lookalikes``.
    static let lookalikeAdvice = "compare keys byte by byte: without patterns, case folding, or an end at a zero byte"

    /// Runs a check of a cache with a new clock. Returns a description of the error that the check throws, if any.
    static func message(_ body: (ManualTime) throws -> Void) -> String? {
        do {
            try body(ManualTime())
            return nil
        } catch let breach as Breach {
            return breach.description
        } catch {
            return "expected no error, but it threw '\(error)'; follow the contract of the protocol"
        }
    }

    /// Throws unless each count has the expected value.
    static func expect(
        _ counts: [(name: String, found: Int, right: Int)], after what: String, advice: String
    ) throws(Breach) {
        for count in counts where count.found != count.right {
            throw Breach(
                expected: "\(count.right) as `\(count.name)` after \(what)", but: "it is \(count.found)",
                advice: advice)
        }
    }

    /// Runs `body` on `count` threads at the same time and throws the first error. The argument is the thread's index.
    static func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let failure = Lock<(any Error)?>(nil)
        let together = DispatchGroup()
        for _ in 0..<count { together.enter() }
        ThreadGroup.run(count) { thread in
            together.leave()
            together.wait()
            do {
                try body(thread)
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// Runs `work` on one thread while another calls `look` repeatedly, for the last time after `work` has ended.
    static func run(
        _ work: @escaping @Sendable () throws -> Void, watchedBy look: @escaping @Sendable () throws -> Void
    ) throws {
        let isOver = Lock(false)
        try onThreads(2) { thread in
            if thread == 0 {
                defer { isOver.withLock { $0 = true } }
                try work()
            } else {
                var wasOver = false
                repeat {
                    wasOver = isOver.withLock { $0 }
                    try look()
                } while !wasOver
            }
        }
    }
}
