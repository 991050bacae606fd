/// The limits on the concurrent work of a manager.
public struct Concurrency: Sendable, Hashable {
    /// The maximum number of concurrent loads. If a loader limits its concurrent loads itself, they are not counted.
    /// Default: 64.
    public var loads: Int
    /// The number of threads that read caches. Default: 4.
    public var reads: Int
    /// The number of threads that decode. Default: one for each processor.
    public var decodes: Int
    /// The memory that decodes may take together, in bytes. Default: a quarter of the memory that the process may use,
    /// according to the machine and its control groups, and at least 64 MiB.
    ///
    /// The memory of a picture is estimated from its header before its pixels are decoded. The picture waits until that
    /// much memory is left; more urgent pictures, and earlier ones of the same priority, come first. A picture that
    /// takes more than this limit is decoded alone. Decoded pictures do not count; they have a separate limit.
    public var decodeMemory: Int
    /// The number of threads that transform images. The same number of separate threads encodes images. Default: one
    /// for each processor.
    public var transforms: Int
    /// The number of threads that write caches. Default: 2.
    public var writes: Int

    /// Creates limits. Values below 1 count as 1. Pass nil for `decodeMemory` for the default.
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
