@testable import Calotype

/// A loader that forwards to others, and counts the outcomes of their loads.
final class TallyingLoader: ImageLoader {
    /// The outcomes of loads.
    struct Tally: Equatable {
        var begun = 0
        /// The loads that delivered all bytes.
        var completed = 0
        /// The loads whose source confirmed the copy.
        var confirmed = 0
        var failed = 0
        var cancelled = 0

        var active: Int { begun - completed - confirmed - failed - cancelled }

        static func + (one: Tally, other: Tally) -> Tally {
            Tally(
                begun: one.begun + other.begun, completed: one.completed + other.completed,
                confirmed: one.confirmed + other.confirmed, failed: one.failed + other.failed,
                cancelled: one.cancelled + other.cancelled)
        }
    }

    /// The loads of one waiter: the first one, and its retries.
    private struct Tries {
        /// Retained, so that its identity is not reused.
        let demand: Demand
        var count = 0
    }

    private struct State {
        var tallies: [String: Tally] = [:]
        var tries: [ObjectIdentifier: Tries] = [:]
    }

    private let loaders: [any ImageLoader]
    private let state = Lock(State())

    init(_ loaders: [any ImageLoader]) { self.loaders = loaders }

    /// The outcomes of each URL's loads.
    var tallies: [String: Tally] { state.withLock { $0.tallies } }

    /// The outcomes of all loads.
    var total: Tally { tallies.values.reduce(Tally(), +) }

    /// The number of retries.
    var retryCount: Int { state.withLock { $0.tries.values.reduce(0) { $0 + $1.count - 1 } } }

    func canLoad(_ request: LoadRequest) -> Bool { loaders.contains { $0.canLoad(request) } }

    @concurrent
    func load(_ request: LoadRequest, into sink: any ByteSink) async throws -> LoadOutcome {
        guard let loader = loaders.first(where: { $0.canLoad(request) }) else {
            throw ImageError(.noLoader, stage: .load, message: "no loader accepts it")
        }
        let url = request.url.absoluteString
        state.withLock { state in
            state.tallies[url, default: Tally()].begun += 1
            guard let demand = request.demand else { return }
            state.tries[ObjectIdentifier(demand), default: Tries(demand: demand)].count += 1
        }
        do {
            let outcome = try await loader.load(request, into: sink)
            if case .notModified = outcome {
                count(url) { $0.confirmed += 1 }
            } else {
                count(url) { $0.completed += 1 }
            }
            return outcome
        } catch {
            count(url) { if error is CancellationError { $0.cancelled += 1 } else { $0.failed += 1 } }
            throw error
        }
    }

    private func count(_ url: String, _ body: (inout Tally) -> Void) {
        state.withLock { body(&$0.tallies[url, default: Tally()]) }
    }
}
