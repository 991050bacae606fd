import CalotypeStandard

/// Prints failures that do not stop a request, such as a cache that cannot be written to.
///
/// Each kind of failure is told once: a hundred sources that cannot be kept are one thing to know. Told from any
/// thread; prints on the main actor, one after the other.
final class WarningPrinter: EventListener {
    /// A line, and the kind of failure that it tells of; nil for a line that is printed in any case.
    private typealias Warning = (text: String, kind: String?)

    private let warnings: AsyncStream<Warning>.Continuation
    private let printing: Task<Void, Never>

    @MainActor
    init(_ console: Console) {
        let (stream, continuation) = AsyncStream.makeStream(of: Warning.self)
        warnings = continuation
        printing = Task { @MainActor in
            var told: Set<String> = []
            for await (text, kind) in stream {
                let isNew = kind.map { told.insert($0).inserted } ?? true
                if isNew { console.complain("warning: \(text)") }
            }
        }
    }

    func received(_ event: PipelineEvent) {
        switch event.kind {
        case .failed(let error): warn(of: error, retriedAfter: event.retryDelay)
        case .lost(let count):
            let events = Quantity.count(count, "event")
            warnings.yield(("\(events) dropped because too many came at once; some warnings may be missing", nil))
        default: break
        }
    }

    /// Prints a failure soon, unless one like it was printed.
    /// - Parameter delay: After how long what failed is tried again; nil where it is not.
    func warn(of error: ImageError, retriedAfter delay: Duration? = nil) {
        let next = delay.map { "; retrying in \(Quantity.tenths($0.seconds)) s" } ?? ""
        warnings.yield(("\(error)\(next)", Console.describe(error)))
    }

    /// Returns when all is printed. Nothing can be told any more.
    func finish() async {
        warnings.finish()
        await printing.value
    }
}
