/// How much a manager does at once.
public struct Concurrency: Sendable, Hashable {
    /// Loads under way, but for loaders that see to that themselves. Default: 64.
    public var loads: Int
    /// Threads that read caches. Default: 4.
    public var reads: Int
    /// Threads that decode. Default: one for each processor.
    public var decodes: Int
    /// Threads that transform, and as many that encode. Default: one for each processor.
    public var transforms: Int
    /// Threads that write caches. Default: 2.
    public var writes: Int

    /// Bounds; less than 1 counts as 1.
    public init(
        loads: Int = 64, reads: Int = 4, decodes: Int = ProcessInfo.processInfo.activeProcessorCount,
        transforms: Int = ProcessInfo.processInfo.activeProcessorCount, writes: Int = 2
    ) {
        self.loads = loads
        self.reads = reads
        self.decodes = decodes
        self.transforms = transforms
        self.writes = writes
    }
}
