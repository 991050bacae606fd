/// How much a manager does at once.
public struct Concurrency: Sendable, Hashable {
    /// Loads under way; loaders may have narrower bounds of their own. Default: 64.
    public var loads: Int
    /// Threads that read caches. Default: 4.
    public var reads: Int
    /// Threads that decode. Default: one for each processor.
    public var decodes: Int
    /// Threads that transform and encode. Default: one for each processor.
    public var transforms: Int
    /// Threads that write caches. Default: 2.
    public var writes: Int

    /// Bounds, each at least 1.
    public init(
        loads: Int = 64, reads: Int = 4, decodes: Int = ProcessInfo.processInfo.activeProcessorCount,
        transforms: Int = ProcessInfo.processInfo.activeProcessorCount, writes: Int = 2
    ) {
        self.loads = max(1, loads)
        self.reads = max(1, reads)
        self.decodes = max(1, decodes)
        self.transforms = max(1, transforms)
        self.writes = max(1, writes)
    }
}
