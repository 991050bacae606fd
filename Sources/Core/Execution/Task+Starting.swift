extension Task where Success == Void, Failure == Never {
    /// Begins a task on this thread: what it does before it has to wait for something is done when this returns, and
    /// costs no change of thread.
    ///
    /// For threads of the pool that tasks share, which is where code runs that is isolated to no actor; on another one,
    /// that of the main actor for instance, it would hold up what that is for.
    static func startingHere(_ body: sending @escaping @isolated(any) () async -> Void) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return .immediate(operation: body)
        }
        return Task(operation: body)
    }

    /// The same for a task that inherits neither values nor priority.
    static func detachedStartingHere(_ body: sending @escaping @isolated(any) () async -> Void) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return .immediateDetached(operation: body)
        }
        return .detached(operation: body)
    }
}
