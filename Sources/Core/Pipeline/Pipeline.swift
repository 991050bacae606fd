/// The shared work of requests: query, transform, decode, load, store.
///
/// `Stages` has a file for each stage. A stage calls only later ones; CONTRIBUTING.md lists them in order. A request
/// for an image begins at `Pipeline+Output`, or at `Pipeline+Refresh` if its source must confirm a cached image. A
/// request for bytes begins at `Pipeline+Original`.
///
/// Memory is bounded, however many requests there are:
///
/// - A request that waits holds only its values and a place in a queue.
/// - `undecoded` limits the bytes that wait for a decoder. Urgent loads, and those that began before the limit was
///   reached, can exceed it.
/// - Running decodes take at most `Concurrency.decodeMemory`, according to the headers. A picture that takes more is
///   decoded alone.
/// - `unfinished` limits the decoded images that wait for transformers, encoders and disks. Decodes in progress, and
///   transformers that enlarge an image, can exceed it.
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
    /// The transformations in progress, keyed by the decode and the transformers applied so far.
    let transforms = WorkTable<TransformKey, PipelineOutput>()

    /// The stores and removals in progress.
    let pendingStores = PendingStores()
    /// The loads that wait for other loads.
    let loadWaits = LoadWaits()
    /// The images that are being refreshed, or replaced by loaded bytes, in the background.
    let refreshing = Lock<Set<DecodeKey>>([])
    /// The recent failures of sources.
    let failures: FailedSources
    /// The counter of changes to cached data: stores and removals by client code, and replacements by loads.
    let changes = CacheChanges()

    /// The backlog of bytes that wait to be decoded. Its limit is 64 MiB. While it is full, no read or load begins,
    /// except for work that is more urgent than nearly all of the backlog. A loader that limits its own loads may begin
    /// a load, but waits before it delivers the first byte.
    let undecoded = Backlog(limit: 64 << 20)
    /// The backlog of decoded images whose requests have not ended. Its limit is an eighth of the memory that the
    /// process may use, at least 64 MiB and at most 1 GiB. While it is full, no decode begins.
    let unfinished = Backlog(limit: min(max(64 << 20, SystemMemory.limit / 8), 1 << 30))
    /// The backlog of progressive decoders whose files are arriving. Its limit is a sixteenth of the memory that the
    /// process may use, at least 64 MiB and at most 512 MiB. While it is full, files that begin to arrive get no
    /// previews.
    let previewed = Backlog(limit: min(max(64 << 20, SystemMemory.limit / 16), 512 << 20))

    init(registry: Registry, concurrency: Concurrency, time: any TimeSource) {
        self.registry = registry
        self.time = time
        coders = CoderChain(coders: registry.coders, colorConverters: registry.colorConverters, time: time)
        failures = FailedSources(time: time)
        lanes = Lanes(concurrency, undecoded: undecoded, unfinished: unfinished)
    }
}
