import Synchronization

/// A cache of decoded images in memory, bounded by the bytes of their pixels and by their number.
///
/// ```swift
/// let cache = BoundedMemoryCache(costLimit: 64 << 20, policy: .lru)
/// ```
///
/// The limits hold at every moment, and may be changed at any time. An image costs the memory that it takes
/// (``Image/byteCount``); an image stored under two keys counts twice. An ``EvictionPolicy`` chooses the images to
/// evict. A new image is found right after it was stored. An image that alone exceeds a limit is not stored, and the
/// previous image for its key is removed.
///
/// - An image that is evicted while your code retains it, for example because it is on screen, is still found, and is
///   then stored again. The cache keeps a weak reference to it, which does not count toward the limits. An image that
///   is removed by key or source, or by clearing, is not found again, even if it is retained.
/// - An image that has expired is a miss, and is removed when it is requested. Until then it counts toward the limits.
/// - When the system is short of memory, the cache evicts half of its contents. It evicts everything if hardly any work
///   proceeds, or if the process is about to be killed. The limits remain unchanged. On Linux, the kernel reports how
///   long the tasks of the process's control group, or else of the whole machine, wait for memory. It also reports how
///   close the control group is to its limit. On other systems, or if the process may not read these reports, memory
///   pressure is never noticed.
///
/// Thread-safe. A hit takes one lock, looks up one key, allocates no memory and does not read the clock. A hit takes
/// longer if the image has a time to live, or was evicted and is still retained. Evicted and removed images are
/// released after unlocking, on the calling thread.
public final class BoundedMemoryCache: MemoryCache {
    /// The default cost limit: a fifth of the memory that the process may use, according to its control group or the
    /// machine, and at most 1 GiB.
    ///
    /// A fifth leaves room for the application, and for decoding, during which memory use is at its peak.
    public static let defaultCostLimit = min(SystemMemory.limit / 5, 1 << 30)

    /// The time after which an image stored without its own time to live expires; nil for never.
    public let timeToLive: Duration?

    private let state: Lock<State>
    private let time: any TimeSource
    private let pressure: (any MemoryPressureSource)?
    private let isObserving = Atomic(false)
    private let observation = Lock<MemoryPressureObservation?>(nil)

    /// Creates an empty cache.
    /// - Parameters:
    ///   - costLimit: The maximum number of bytes of pixels; nil for ``defaultCostLimit``. Less than zero counts as
    ///     zero.
    ///   - countLimit: The maximum number of images. Default: `Int.max`, for any number. Less than zero counts as zero.
    ///   - timeToLive: The time after which an image stored without its own time to live expires. Default: nil, for
    ///     never.
    ///   - findsLivingImages: Whether an evicted image is found as long as it is retained. Default: true.
    ///   - trimsUnderPressure: Whether the cache evicts images when the system is short of memory. Default: true. All
    ///     caches of the process share one thread, which waits for reports of the system. It runs from the first stored
    ///     image until the last cache that has stored one is released.
    ///   - policy: The policy that chooses the images to evict. Default: ``EvictionPolicy/s3FIFO``.
    ///   - time: The clock for times to live.
    public convenience init<Policy: EvictionPolicy>(
        costLimit: Int? = nil, countLimit: Int = .max, timeToLive: Duration? = nil, findsLivingImages: Bool = true,
        trimsUnderPressure: Bool = true, policy: Policy = S3FIFOPolicy(), time: any TimeSource = SystemTime()
    ) {
        self.init(
            costLimit: costLimit, countLimit: countLimit, timeToLive: timeToLive,
            findsLivingImages: findsLivingImages, policy: policy, time: time,
            pressure: trimsUnderPressure ? SystemMemoryPressure.shared : nil)
    }

    /// Creates an empty cache.
    /// - Parameter pressure: The source of notifications about memory pressure; nil for none.
    init(
        costLimit: Int?, countLimit: Int = .max, timeToLive: Duration? = nil, findsLivingImages: Bool = true,
        policy: any EvictionPolicy = S3FIFOPolicy(), time: any TimeSource = SystemTime(),
        pressure: (any MemoryPressureSource)?
    ) {
        self.timeToLive = timeToLive
        self.time = time
        self.pressure = pressure
        state = Lock(
            State(
                costLimit: max(0, costLimit ?? Self.defaultCostLimit), countLimit: max(0, countLimit),
                findsLivingImages: findsLivingImages, policy: policy))
    }

    /// The maximum number of bytes of pixels. Lowering it evicts immediately; less than zero counts as zero.
    public var costLimit: Int {
        get { state.withLock { $0.costLimit } }
        set {
            change { state in
                state.costLimit = max(0, newValue)
                state.evict(toCost: state.costLimit, count: state.countLimit)
            }
        }
    }

    /// The maximum number of images; `Int.max` for any number. Lowering it evicts immediately; less than zero counts as
    /// zero.
    public var countLimit: Int {
        get { state.withLock { $0.countLimit } }
        set {
            change { state in
                state.countLimit = max(0, newValue)
                state.evict(toCost: state.costLimit, count: state.countLimit)
            }
        }
    }

    /// The number of bytes of pixels in the cache.
    public var totalCost: Int { statistics.byteCount }

    /// The number of images in the cache, without evicted ones that can still be found.
    public var count: Int { statistics.count }

    public var statistics: MemoryCacheStatistics { state.withLock { $0.statistics } }

    /// Evicts images until the remaining ones cost at most `cost` bytes, as the cache does when memory is short. The
    /// limits remain unchanged.
    public func trim(to cost: Int) {
        change { $0.evict(toCost: max(0, cost), count: .max) }
    }

    public func image(for key: VariantKey) -> Image? {
        switch state.withLock({ $0.lookUp(key) }) {
        case .found(let image):
            return image
        case .missing:
            return nil
        case .uncertain:
            let now = time.now()
            return change { $0.image(for: key, at: now) }
        }
    }

    public func peek(at key: VariantKey) -> Image? {
        guard let found = state.withLock({ $0.living(key) }) else { return nil }
        return found.deadline.map { $0.time > time.now() } ?? true ? found.image : nil
    }

    public func contains(_ key: VariantKey) -> Bool { peek(at: key) != nil }

    public func store(_ image: Image, for key: VariantKey, timeToLive: Duration?) {
        let lifetime = timeToLive ?? self.timeToLive
        if let lifetime, lifetime <= .zero { return remove(key) }
        let deadline = lifetime.map { State.Deadline(time: time.now() + $0, isGiven: timeToLive != nil) }
        change { $0.store(image, for: key, deadline: deadline) }
        observePressure()
    }

    public func remove(_ key: VariantKey) {
        change { $0.remove(key) }
    }

    public func removeAll(of source: SourceKey) {
        change { $0.removeAll(of: source) }
    }

    public func removeAll(of source: SourceKey, under policy: String) {
        change { $0.removeAll(of: source, under: policy) }
    }

    public func clear() {
        change { $0.removeAll() }
    }

    public func variants(of source: SourceKey) -> [VariantKey] {
        let now = time.now()
        // The result contains the images, so that none is released before unlocking.
        let found = state.withLock { $0.living(of: source) }
        return found.compactMap { key, found in
            guard let deadline = found.deadline else { return key }
            return deadline.time > now ? key : nil
        }
    }

    public func remainingTime(for key: VariantKey) -> Duration? {
        guard let deadline = state.withLock({ $0.living(key) })?.deadline, deadline.isGiven else { return nil }
        return max(.zero, deadline.time - time.now())
    }

    /// Changes the state. Releases dropped images after unlocking, because releasing takes time, and may run client
    /// code.
    private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, dropped) = state.withLock { state -> (Result, [Image.Storage]) in
            let result = body(&state)
            defer { state.dropped = [] }
            return (result, state.dropped)
        }
        withExtendedLifetime(dropped) {}
        return result
    }

    /// Begins to observe memory pressure when the first image is stored, so that an empty cache needs no thread.
    private func observePressure() {
        guard let pressure, !isObserving.load(ordering: .relaxed), !isObserving.exchange(true, ordering: .relaxed)
        else { return }
        let observation = pressure.observe { [weak self] in self?.relieve($0) }
        self.observation.withLock { $0 = observation }
    }

    private func relieve(_ pressure: MemoryPressure) {
        switch pressure {
        case .moderate: change { $0.evict(toCost: $0.statistics.byteCount / 2, count: .max) }
        case .critical: trim(to: 0)
        }
        // The pool may hold the memory of released pixels for future images. It is freed too.
        PixelPool.shared.release()
    }
}
