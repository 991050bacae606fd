/// Checks of the isolation of a caller.
enum ActorIsolation {
    /// Returns whether the caller runs on the pool that all tasks share, without being isolated to an actor.
    ///
    /// Pass `#isolation`, but not on the right side of `&&`: that side is a closure, which is not isolated. The
    /// function must not be inlined, because compilers of Swift 6.3 crash where they inline the comparison.
    @inline(never)
    static func isNone(_ isolation: (any Actor)?) -> Bool {
        isolation == nil && withUnsafeCurrentTask { $0?.unownedTaskExecutor == nil }
    }
}
