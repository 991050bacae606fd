/// The amount of work that a manager does at once.
public struct Concurrency: Sendable, Hashable {
    /// Loads under way, but for loaders that see to that themselves. Default: 64.
    public var loads: Int
    /// Threads that read caches. Default: 4.
    public var reads: Int
    /// Threads that decode. Default: one for each processor.
    public var decodes: Int
    /// The memory that decodes may take together, in bytes. Default: a quarter of what the process may use, by the
    /// machine and its control groups, and 64 MiB at least.
    ///
    /// How much a picture is going to take is estimated from its header before its pixels are decoded: it waits until
    /// there is so much left, the more urgent ones before it, its equals behind it. A picture that takes more than all
    /// of this is decoded when nothing else is, and nothing else meanwhile. What is decoded counts no longer: it is
    /// bounded by itself.
    public var decodeMemory: Int
    /// Threads that transform, and as many that encode. Default: one for each processor.
    public var transforms: Int
    /// Threads that write caches. Default: 2.
    public var writes: Int

    /// Bounds; less than 1 counts as 1. For `decodeMemory` nil is the default.
    public init(
        loads: Int = 64, reads: Int = 4, decodes: Int = ProcessInfo.processInfo.activeProcessorCount,
        decodeMemory: Int? = nil, transforms: Int = ProcessInfo.processInfo.activeProcessorCount, writes: Int = 2
    ) {
        self.loads = loads
        self.reads = reads
        self.decodes = decodes
        self.decodeMemory = decodeMemory ?? max(64 << 20, SystemMemory.limit / 4)
        self.transforms = transforms
        self.writes = writes
    }
}
