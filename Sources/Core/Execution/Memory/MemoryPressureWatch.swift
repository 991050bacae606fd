/// A source of memory pressure that a thread can wait for.
protocol MemoryPressureWatch: AnyObject, Sendable {
    /// Blocks, and calls `body` at each sign of pressure, until it is stopped or no more signs can come. Called once.
    func run(_ body: (MemoryPressure) -> Void)
    /// Ends `run`, even if it has not begun.
    func stop()
}
