/// Something that a thread can wait for.
protocol MemoryPressureWatch: AnyObject, Sendable {
    /// Blocks, and calls `body` at each sign of pressure, until it is stopped or there can be no more signs. Called
    /// once.
    func run(_ body: (MemoryPressure) -> Void)
    /// Ends `run`, also one that has not begun.
    func stop()
}
