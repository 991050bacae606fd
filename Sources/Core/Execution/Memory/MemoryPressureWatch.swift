/// An object through which a thread can wait for signs of memory pressure.
protocol MemoryPressureWatch: AnyObject, Sendable {
    /// Waits for signs of memory pressure and calls `body` for each, until ``stop()`` is called or no more signs can
    /// come. This method is called only once.
    func run(_ body: (MemoryPressure) -> Void)
    /// Makes ``run(_:)`` return. If `run` is called only later, it returns at once.
    func stop()
}
