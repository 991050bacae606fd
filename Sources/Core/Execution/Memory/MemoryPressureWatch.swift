/// An object through which a thread can wait for signs of memory pressure.
protocol MemoryPressureWatch: AnyObject, Sendable {
    /// Calls `body` for each sign of memory pressure, until ``stop()`` is called or no more can come. Called only once.
    func run(_ body: (MemoryPressure) -> Void)
    /// Makes ``run(_:)`` return. A call of `run` that comes later returns at once.
    func stop()
}
