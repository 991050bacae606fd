/// The shared work of requests: query, transform, decode, load, store.
///
/// `Stages` has a file for each stage. A stage calls only later ones; CONTRIBUTING.md lists them in order. A request
/// begins at `Pipeline+Output`, or at `Pipeline+Refresh` if its source must confirm a cached image.
///
/// `Common` contains what several stages need. `Work` contains the tables that coalesce concurrent work. `Consistency`
/// keeps caches correct while requests, removals and replacements overlap. A cache that answers without waiting is
/// asked by each request itself, which costs less than an entry in a table.
///
/// Memory is bounded, however many requests there are:
///
/// - A request that waits for its turn holds its values and a place in a queue.
/// - Loaded and read bytes wait for a decoder. `undecoded` limits them; loads and reads that began before the limit was
///   reached can exceed it.
/// - Running decodes take at most `Concurrency.decodeMemory`, according to the headers. A picture that takes more is
///   decoded alone.
/// - Decoded images wait for transformers, encoders and disks. `unfinished` limits them; decodes in progress, and
///   transformers that enlarge an image, can exceed it. An image moves from `undecoded` to `unfinished` when it is
///   decoded.
/// - `PendingStores` limits the bytes that are written after their request has ended.
final class Pipeline: Sendable {
    let registry: Registry
    /// The registered coders.
    let coders: CoderChain
    let lanes: Lanes
    let time: any TimeSource
    /// The counters of completed work and work in progress.
    let counters = Counters()
    /// The channels to the event listeners.
    let channels = EventChannels()

    /// The entries being read from a cache's disk tier.
    let entries = WorkTable<EntryKey, CacheRead?>()
    /// The variants being read from a cache's disk tier and decoded.
    let reads = WorkTable<ReadKey, PipelineOutput?>()
    /// The originals being found in a cache or loaded.
    let originals = WorkTable<OriginalKey, Original>()
    /// The transfers in progress.
    let transfers = WorkTable<TransferKey, Original>()
    /// The originals kept while they are being decoded.
    let originalsInUse = OriginalsInUse()
    /// The decodes in progress.
    let decodes = WorkTable<DecodeKey, PipelineOutput>()
    /// The transformations in progress, keyed by the steps so far.
    let transforms = WorkTable<TransformKey, PipelineOutput>()

    /// The stores and removals in progress.
    let pendingStores = PendingStores()
    /// The loads that wait for others.
    let loadWaits = LoadWaits()
    /// The images that are being refreshed while a stale copy is shown.
    let refreshing = Lock<Set<DecodeKey>>([])
    /// The recent failures of sources.
    let failures: FailedSources
    /// The stores and removals by client calls, and the replacements.
    let changes = CacheChanges()

    /// The bytes that wait to be decoded. While there are too many, no read or load begins, and no load of a loader
    /// with its own queue begins to write. More urgent work is exempt.
    let undecoded = Backlog(limit: 64 << 20)
    /// The images between their decoder and the end of their requests. While they take too much memory, no decode
    /// begins.
    let unfinished = Backlog(limit: min(max(64 << 20, SystemMemory.limit / 8), 1 << 30))
    /// The memory of progressive decoders whose files are arriving. While they take too much, no new ones begin.
    let previewed = Backlog(limit: min(max(64 << 20, SystemMemory.limit / 16), 512 << 20))

    init(registry: Registry, concurrency: Concurrency, time: any TimeSource) {
        self.registry = registry
        self.time = time
        coders = CoderChain(coders: registry.coders, colorConverters: registry.colorConverters, time: time)
        failures = FailedSources(time: time)
        lanes = Lanes(concurrency, undecoded: undecoded, unfinished: unfinished)
    }
}
