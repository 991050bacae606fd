import Synchronization

/// Decoded images in memory, bounded by the bytes of their pixels and by their number.
///
/// ```swift
/// let cache = BoundedMemoryCache(costLimit: 64 << 20, policy: .lru)
/// ```
///
/// The limits hold at every moment, and may be changed at any. An image costs the memory that it takes
/// (``Image/byteCount``); under two keys it is charged twice. What goes when there is no room is the choice of an
/// ``EvictionPolicy``. An image is found right after it was stored, unless it alone exceeds a limit: then it is not
/// kept, and neither is the one that it was to replace.
///
/// - An image that is evicted while your code retains it, such as one on a screen, is still found, and is taken in
///   again when it is asked for: the cache keeps a weak reference to it, which costs nothing. An image that is removed
///   by key or source, or by clearing, is not found again, even while it is retained.
/// - An image whose time is over is a miss, and goes when it is asked for. Until then it takes its place like others.
/// - When the system says that memory is short, the cache gives up half of what it holds, and all of it when next to
///   nothing gets done any more for want of memory. The limits stay. On Linux that is heard from the kernel, which
///   measures how long tasks wait for memory, in the process's control group or else in the machine, and from the
///   control group's limit; elsewhere, and where that is not allowed, never.
///
/// Thread-safe. A hit takes one lock, looks up one key, and allocates no memory; the clock is read for images alone
/// that have a time to live. Images that are dropped are released after unlocking, on the thread whose call dropped
/// them.
public final class BoundedMemoryCache: MemoryCache {
    /// The cost limit of a cache that is not given one: a fifth of the memory that the process may use, by its control
    /// group or the machine, and at most 1 GiB.
    ///
    /// A fifth leaves room for what is being decoded, which needs memory at its peak, and for the application itself.
    public static let defaultCostLimit = min(SystemMemory.limit / 5, 1 << 30)

    /// The time after which an image stored without its own time to live expires; nil for never.
    public let timeToLive: Duration?

    private let state: Lock<State>
    private let time: any TimeSource
    private let pressure: (any MemoryPressureSource)?
    private let isObserving = Atomic(false)
    private let observation = Lock<MemoryPressureObservation?>(nil)

    /// A cache that is empty.
    /// - Parameters:
    ///   - costLimit: Bytes of pixels that it may hold; nil for ``defaultCostLimit``. Less than zero counts as zero.
    ///   - countLimit: Images that it may hold; `Int.max`, the default, for any number. Less than zero counts as zero.
    ///   - timeToLive: How long an image may be found that is stored without a time of its own; nil, the default, for
    ///     ever.
    ///   - findsLivingImages: Whether an image that was evicted is found as long as it is retained. Default: yes.
    ///   - trimsUnderPressure: Whether it gives up images when the system is short of memory. Default: yes; a thread
    ///     that all caches of the process share waits for the system's word, from the first image on and for as long
    ///     as there is a cache.
    ///   - policy: What goes when there is no room. Default: ``EvictionPolicy/s3FIFO``.
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

    /// The same, with another source of memory pressure; nil for none.
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

    /// Bytes of pixels that the cache may hold. Lowering it evicts at once; less than zero counts as zero.
    public var costLimit: Int {
        get { state.withLock { $0.costLimit } }
        set {
            change { state in
                state.costLimit = max(0, newValue)
                state.evict(toCost: state.costLimit, count: state.countLimit)
            }
        }
    }

    /// Images that the cache may hold; `Int.max` for any number. Lowering it evicts at once; less than zero counts as
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

    /// Bytes of pixels that the cache holds.
    public var totalCost: Int { statistics.byteCount }

    /// Images that the cache holds, without those that were evicted and can still be found.
    public var count: Int { statistics.count }

    public var statistics: MemoryCacheStatistics { state.withLock { $0.statistics } }

    /// Evicts until the images cost `cost` bytes or less, as when memory is short. The limits stay.
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
        // The images come along, so that none of them is released before unlocking.
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

    /// Changes the state, and lets go of what that dropped only after unlocking: the last release of an image gives
    /// back the memory of its pixels, which takes far longer than a hit, and may run client code.
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, dropped) = state.withLock { state -> (Result, [Image.Storage]) in
            let result = body(&state)
            defer { state.dropped = [] }
            return (result, state.dropped)
        }
        withExtendedLifetime(dropped) {}
        return result
    }

    /// Begins to listen for pressure, once: a cache that never holds anything needs no thread.
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
        // Pixels that were released may lie in the pool, for pictures that should not be decoded now.
        PixelPool.shared.release()
    }
}
