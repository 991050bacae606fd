extension Task where Success == Void, Failure == Never {
    /// Starts a task on the current thread. When this method returns, the task has run up to its first suspension.
    ///
    /// On Apple systems before version 26, starts an ordinary task instead.
    ///
    /// Call this method only from code that is not isolated to an actor, on a thread of the pool that all tasks share.
    /// Elsewhere, the new task would delay other work of the actor or thread.
    static func startingHere(_ body: sending @escaping @isolated(any) () async -> Void) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return .immediate(operation: body)
        }
        return Task(operation: body)
    }

    /// Starts a task like ``startingHere(_:)``, but one that inherits neither task-local values nor priority.
    static func detachedStartingHere(_ body: sending @escaping @isolated(any) () async -> Void) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            return .immediateDetached(operation: body)
        }
        return .detached(operation: body)
    }
}
