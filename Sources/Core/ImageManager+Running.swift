extension ImageManager {
    /// The tasks under way, in the order in which they began. Those that memory answers at once are never among them.
    public var tasks: [ImageTask] { running.tasks }

    /// Whether any task is under way.
    public var isRunning: Bool { !running.isEmpty }

    /// Cancels all tasks that are under way now: when this returns, each has ended as cancelled, unless it has ended
    /// otherwise just before. As with ``ImageTask/cancel()``, a completion that has not been called yet, since it waits
    /// for its turn, is told `cancelled` as well. Tasks that begin later are no concern of it; neither is what is still
    /// being written to a cache for tasks that have ended.
    public func cancelAll() { running.cancelAll() }
}
