/// Functions that tell the isolation of their caller.
enum ActorIsolation {
    /// Returns whether an isolation is no actor and its task prefers no executor. Such a function runs on a thread of
    /// the pool that all tasks share.
    ///
    /// To be given `#isolation`, and not on the right of `&&`: that is a closure, which is isolated to nobody. A
    /// function of its own, since compilers of Swift 6.3 do not survive the comparison where they inline it.
    @inline(never)
    static func isNone(_ isolation: (any Actor)?) -> Bool {
        isolation == nil && withUnsafeCurrentTask { $0?.unownedTaskExecutor == nil }
    }
}
