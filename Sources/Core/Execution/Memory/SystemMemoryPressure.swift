/// A source that passes the system's notifications about memory pressure to all listeners.
///
/// While there are listeners, one thread waits for notifications, unless the system sends none.
final class SystemMemoryPressure: MemoryPressureSource {
    /// The pressure source of this process.
    static let shared = SystemMemoryPressure { PressureFiles.ofProcess() }

    private typealias Observer = @Sendable (MemoryPressure) -> Void

    private struct State {
        var observers: [Int: Observer] = [:]
        var nextID = 0
        /// Whether a thread has been started but has not yet begun to wait for notifications.
        var isStarting = false
        var watch: (any MemoryPressureWatch)?
        /// Whether the system sends no notifications, or has stopped sending them.
        var isMute = false
    }

    private let state = Lock(State())
    private let open: @Sendable () -> (any MemoryPressureWatch)?

    /// Creates a source.
    /// - Parameter open: A closure that returns the object that waits for the system's notifications, or nil if the
    ///   system sends none. It is called on the thread that waits.
    init(open: @escaping @Sendable () -> (any MemoryPressureWatch)?) { self.open = open }

    func observe(_ body: @escaping @Sendable (MemoryPressure) -> Void) -> MemoryPressureObservation {
        let (id, startsThread) = state.withLock { state -> (Int, Bool) in
            let id = state.nextID
            state.nextID += 1
            state.observers[id] = body
            guard !state.isMute, !state.isStarting, state.watch == nil else { return (id, false) }
            state.isStarting = true
            return (id, true)
        }
        if startsThread {
            do throws(ImageError) {
                try DetachedThread.start(name: "ct-pressure") { self.wait() }
            } catch {
                // The next listener tries again.
                state.withLock { $0.isStarting = false }
            }
        }
        return MemoryPressureObservation { self.end(id) }
    }

    /// Waits for notifications and passes them to the listeners. Runs on a thread of its own.
    private func wait() {
        let watch = open()
        let isWanted = state.withLock { state -> Bool in
            state.isStarting = false
            state.isMute = watch == nil
            // The listeners may have ended meanwhile.
            guard !state.observers.isEmpty else { return false }
            state.watch = watch
            return true
        }
        guard isWanted, let watch else { return }
        watch.run { self.tell($0) }
        state.withLock { state in
            guard let current = state.watch, current === watch else { return }
            state.watch = nil
            state.isMute = true
        }
    }

    private func tell(_ pressure: MemoryPressure) {
        let observers = state.withLock { Array($0.observers.values) }
        for observer in observers { observer(pressure) }
    }

    private func end(_ id: Int) {
        // Released outside the lock: an observer may retain another observation, which ends with it.
        let (observer, watch) = state.withLock { state -> (Observer?, (any MemoryPressureWatch)?) in
            let observer = state.observers.removeValue(forKey: id)
            guard state.observers.isEmpty else { return (observer, nil) }
            defer { state.watch = nil }
            return (observer, state.watch)
        }
        watch?.stop()
        withExtendedLifetime(observer) {}
    }
}
