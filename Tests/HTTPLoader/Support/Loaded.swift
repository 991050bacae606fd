#if HTTP
import Calotype
import CalotypeTesting
import CalotypeHTTP
import Testing

/// The result of a loader.
struct Loaded: Sendable {
    let outcome: LoadOutcome
    /// The head; nil if nothing was written.
    let head: LoadHead?
    let data: Data
    let metrics: TransferMetrics

    var isComplete: Bool {
        if case .complete = outcome { return true }
        return false
    }

    var isNotModified: Bool {
        if case .notModified = outcome { return true }
        return false
    }
}

extension CurlImageLoader {
    /// Loads without a manager, and checks that head and metrics arrive the right number of times.
    func fetch(
        _ url: URL, _ context: ImageContext = [], validators: Validators? = nil, resumeOffset: Int = 0
    ) async throws -> Loaded {
        let sink = CollectingSink()
        let outcome: LoadOutcome
        do {
            outcome = try await load(
                LoadRequest(
                    url: url, context: ResolvedContext(.patient.merging(context)), validators: validators,
                    resumeOffset: resumeOffset),
                into: sink)
        } catch {
            #expect(sink.metrics.count <= 1)
            throw error
        }
        #expect(sink.heads.count <= 1)
        return Loaded(
            outcome: outcome, head: sink.heads.first, data: sink.data,
            metrics: try #require(sink.metrics.count == 1 ? sink.metrics.first : nil))
    }
}
#endif
