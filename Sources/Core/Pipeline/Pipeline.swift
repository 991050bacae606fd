/// The shared work of requests: query, transform, decode, load, store.
///
/// A request calls the stages in this order, and each stage calls only later ones:
///
/// | file | what it does |
/// |---|---|
/// | `Pipeline+Refresh` | asks the source of a cached image whether it still holds |
/// | `Pipeline+Output` | finds the image of a request in a cache, or makes it |
/// | `Pipeline+Query` | finds the variant in memory, or in the disk tier |
/// | `Pipeline+Transform` | applies the transformers to the decoded image |
/// | `Pipeline+Decode` | decodes the original, and shows previews while it arrives |
/// | `Pipeline+Original` | finds the original in a cache, or loads it |
/// | `Pipeline+Read` | reads an entry from the disk tier |
/// | `Pipeline+Load` | calls the loader, and tries again |
/// | `Pipeline+Store` | keeps the original and the variant |
/// | `Pipeline+Serialize` | makes the entry that is written |
/// | `Pipeline+Encode` | encodes an image |
///
/// `Common` has what several stages need. `Work` has the tables in which work that is wanted twice at once is done once
/// for all waiters. `Consistency` keeps caches true while requests, removals and replacements overlap. Each request
/// asks by itself what a cache can tell without waiting, which costs less than a place in a table.
///
/// However many requests there are at once, memory is bounded. One that waits for its turn holds its values and a place
/// in a queue. What was loaded or read waits for a decoder: as much as `undecoded` allows, and what those loads and
/// reads bring that had begun before it was too much. What is being decoded takes no more at once than
/// `Concurrency.decodeMemory`, by what its headers say; a picture that takes more is decoded alone. What was decoded
/// waits for transformers, encoders and disks: as much as `unfinished` allows, what is decoded at once, and what
/// transformers make larger of it. The two are counted apart: a picture goes from the one to the other when it is made.
/// What is still to be written when its request has ended is bounded by `PendingStores`.
final class Pipeline: Sendable {
    let registry: Registry
    /// The registered coders.
    let coders: CoderChain
    let lanes: Lanes
    let time: any TimeSource
    /// The counters of work done and in progress.
    let counters = Counters()
    /// The ways to the listeners.
    let channels = EventChannels()

    /// Entries being read from a cache's disk tier.
    let entries = WorkTable<EntryKey, CacheRead?>()
    /// Variants being read from a cache's disk tier and decoded.
    let reads = WorkTable<ReadKey, PipelineOutput?>()
    /// Originals being found in a cache or loaded.
    let originals = WorkTable<OriginalKey, Original>()
    /// Transfers under way.
    let transfers = WorkTable<TransferKey, Original>()
    /// The originals that are being decoded.
    let originalsInUse = OriginalsInUse()
    /// Originals being decoded.
    let decodes = WorkTable<DecodeKey, PipelineOutput>()
    /// Images being transformed, by what was done to them so far.
    let transforms = WorkTable<TransformKey, PipelineOutput>()

    /// Stores and removals under way.
    let pendingStores = PendingStores()
    /// Loads that wait for others.
    let loadWaits = LoadWaits()
    /// The images that are being refreshed while they are already shown.
    let refreshing = Lock<Set<DecodeKey>>([])
    /// The recent failures.
    let failures: FailedSources
    /// The stores and removals by hand, and the replacements.
    let changes = CacheChanges()

    /// Bytes that wait to be decoded. While there are too many nothing more is read and no load begins, or begins to
    /// write where its loader has a queue of its own; but for what is more urgent.
    let undecoded = Backlog(limit: 64 << 20)
    /// Pictures on the way from their decoder to the end of their requests. While they take too much nothing more is
    /// decoded.
    let unfinished = Backlog(limit: min(max(64 << 20, SystemMemory.limit / 8), 1 << 30))
    /// The memory of progressive decoders whose files are arriving. While that is too much no more of them begin.
    let previewed = Backlog(limit: min(max(64 << 20, SystemMemory.limit / 16), 512 << 20))

    init(registry: Registry, concurrency: Concurrency, time: any TimeSource) {
        self.registry = registry
        self.time = time
        coders = CoderChain(coders: registry.coders, colorConverters: registry.colorConverters, time: time)
        failures = FailedSources(time: time)
        lanes = Lanes(concurrency, undecoded: undecoded, unfinished: unfinished)
    }
}
