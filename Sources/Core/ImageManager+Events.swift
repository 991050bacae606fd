extension ImageManager {
    /// Returns when every ``EventListener``, of this manager or of one of its requests, has been told all that has
    /// happened by now.
    ///
    /// For programs that are about to end, and for tests: listeners are told later than it happens. What happens
    /// meanwhile is not waited for, nor does anybody else wait, nor a thread. One that never returns is waited for
    /// until the surrounding task is cancelled, upon which this returns at once. So a listener must not wait for this
    /// in ``EventListener/received(_:)``: it would wait for itself.
    public func waitForEvents() async {
        await pipeline.channels.waitForEvents()
    }
}
