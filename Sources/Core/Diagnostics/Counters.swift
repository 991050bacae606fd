import Synchronization

/// The counters of a manager's work. Thread-safe.
///
/// A hit in memory costs one atomic addition. The other counters of requests share one lock, and each stage has a lock
/// of its own. Counters with the same lock are consistent in every snapshot.
final class Counters: Sendable {
    /// The stages that are counted separately, in the order in which a request meets them.
    static let stages: [ImageError.Stage] = [.resolve, .query, .load, .decode, .transform, .encode, .store]

    private let memoryHits = Atomic<Int>(0)
    private let lastID = Atomic<UInt64>(0)
    /// The counters of requests, except for the hits in `memoryHits`. The fields for stages and caches stay empty.
    private let requests = Lock(ManagerStatistics())
    /// The statistics of each stage, in the order of `Self.stages`. Comparing a few names is faster than hashing one.
    private let stages = Counters.stages.map { _ in Lock(StageStatistics()) }

    /// Returns a number that no other request or step of the manager has.
    func makeID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Returns a snapshot of all counters, which includes the given statistics of the caches.
    func snapshot(caches: CacheStatistics) -> ManagerStatistics {
        var snapshot = requests.withLock { $0 }
        snapshot.memoryHits += memoryHits.load(ordering: .relaxed)
        snapshot.stages = Dictionary(
            uniqueKeysWithValues: zip(Self.stages, stages.map { stage in stage.withLock { $0 } }))
        snapshot.caches = caches
        return snapshot
    }

    // MARK: Requests

    /// Counts a request that memory answered at once.
    func requestHitMemory() { memoryHits.wrappingAdd(1, ordering: .relaxed) }

    /// Counts the beginning of a request that memory does not answer at once.
    func requestBegan() { requests.withLock { $0.inFlight += 1 } }

    /// Counts the end of a request that ``requestBegan()`` has counted.
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

    /// Counts a retry of a load.
    func retried() { requests.withLock { $0.retries += 1 } }

    /// Counts a failure that does not stop a request.
    func noteIssue(_ error: ImageError) { requests.withLock { $0.issues[error.code, default: 0] += 1 } }

    // MARK: Steps

    /// Counts the beginning of a step.
    func began(_ stage: ImageError.Stage) { change(stage) { $0.running += 1 } }

    /// Counts a step that succeeded.
    func ended(_ stage: ImageError.Stage, after duration: Duration, byteCount: Int) {
        change(stage) { stage in
            stage.running -= 1
            // The byte count comes from the component that made the image, and may be wrong.
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

    /// Counts a step that was postponed and begins again.
    func postponed(_ stage: ImageError.Stage) {
        change(stage) { stage in
            stage.running -= 1
            stage.postponements += 1
        }
    }

    /// Counts a step that failed or was cancelled.
    func failed(_ stage: ImageError.Stage, isCancelled: Bool) {
        change(stage) { stage in
            stage.running -= 1
            if isCancelled { stage.cancellations += 1 } else { stage.failures += 1 }
        }
    }

    /// Counts a waiter that joins work in progress.
    func joined(_ stage: ImageError.Stage) { change(stage) { $0.joins += 1 } }

    private func change(_ stage: ImageError.Stage, _ body: (inout sending StageStatistics) -> sending Void) {
        guard let index = Self.stages.firstIndex(of: stage) else { return }
        stages[index].withLock(body)
    }
}
