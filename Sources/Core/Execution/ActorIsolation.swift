/// Where a function runs that is isolated to whatever its caller is.
enum ActorIsolation {
    /// Whether that is no actor: then it runs on a thread of the pool that all tasks share.
    ///
    /// To be given `#isolation`. A function of its own, since compilers of Swift 6.3 do not survive the comparison where
    /// they inline it.
    @inline(never)
    static func isNone(_ isolation: (any Actor)?) -> Bool { isolation == nil }
}
