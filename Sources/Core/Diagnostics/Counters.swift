import Synchronization

/// Counts what a manager does.
///
/// A hit in memory costs one atomic addition, in one place for all threads: they have met at the memory cache's lock
/// just before. All else is behind a lock for requests and one for each stage, whose figures agree with each other in
/// every snapshot: a step takes far longer than its lock. Thread-safe.
final class Counters: Sendable {
    /// The stages that are counted separately, in the order in which a request meets them.
    static let stages: [ImageError.Stage] = [.resolve, .query, .load, .decode, .transform, .encode, .store]

    private let memoryHits = Atomic<Int>(0)
    private let lastID = Atomic<UInt64>(0)
    /// All but what is counted elsewhere: those of `memoryHits`, the stages and the caches.
    private let requests = Lock(ManagerStatistics())
    /// The statistics in the order of `Self.stages`: among so few, comparing names costs less than hashing one.
    private let stages = Counters.stages.map { _ in Lock(StageStatistics()) }

    /// A number that no other request or step of the manager has.
    func makeID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Returns a snapshot of all counters.
    /// - Parameter caches: What the caches have counted.
    func snapshot(caches: CacheStatistics) -> ManagerStatistics {
        var snapshot = requests.withLock { $0 }
        snapshot.memoryHits += memoryHits.load(ordering: .relaxed)
        snapshot.stages = Dictionary(
            uniqueKeysWithValues: zip(Self.stages, stages.map { stage in stage.withLock { $0 } }))
        snapshot.caches = caches
        return snapshot
    }

    // MARK: Requests

    /// A request that memory answered on the spot.
    func requestHitMemory() { memoryHits.wrappingAdd(1, ordering: .relaxed) }

    /// Any other begins.
    func requestBegan() { requests.withLock { $0.inFlight += 1 } }

    /// Counts the end of a request.
    func requestEnded(_ result: Result<ImageResponse.Source, ImageError>) {
        requests.withLock { requests in
            requests.inFlight -= 1
            switch result {
            case .success(let source):
                switch source {
                case .memory: requests.memoryHits += 1
                case .disk: requests.diskHits += 1
                case .revalidated: requests.revalidations += 1
                case .loader: requests.loads += 1
                }
            case .failure(let error) where error.code == .cancelled: requests.cancellations += 1
            case .failure(let error): requests.failures[error.code, default: 0] += 1
            }
        }
    }

    /// A load is tried again.
    func retried() { requests.withLock { $0.retries += 1 } }

    /// Something failed, and no request with it.
    func survived(_ error: ImageError) { requests.withLock { $0.issues[error.code, default: 0] += 1 } }

    // MARK: Steps

    /// A step begins.
    func began(_ stage: ImageError.Stage) { change(stage) { $0.running += 1 } }

    /// Counts a step that succeeded.
    func ended(_ stage: ImageError.Stage, after duration: Duration, byteCount: Int) {
        change(stage) { stage in
            stage.running -= 1
            // The maker of the image says how much it is, and need not be right.
            let (sum, overflow) = stage.byteCount.addingReportingOverflow(max(0, byteCount))
            stage.byteCount = overflow ? .max : sum
            stage.latency.add(duration)
        }
    }

    /// Counts a step that succeeded without finding anything.
    func missed(_ stage: ImageError.Stage, after duration: Duration) {
        change(stage) { stage in
            stage.running -= 1
            stage.misses += 1
            stage.latency.add(duration)
        }
    }

    /// Counts a step that was postponed and begins anew.
    func postponed(_ stage: ImageError.Stage) {
        change(stage) { stage in
            stage.running -= 1
            stage.postponements += 1
        }
    }

    /// Counts a step that failed or was cancelled.
    func stopped(_ stage: ImageError.Stage, isCancelled: Bool) {
        change(stage) { stage in
            stage.running -= 1
            if isCancelled { stage.cancellations += 1 } else { stage.failures += 1 }
        }
    }

    /// A waiter joins work in progress.
    func joined(_ stage: ImageError.Stage) { change(stage) { $0.joins += 1 } }

    private func change(_ stage: ImageError.Stage, _ body: (inout StageStatistics) -> Void) {
        guard let index = Self.stages.firstIndex(of: stage) else { return }
        stages[index].withLock(body)
    }
}
