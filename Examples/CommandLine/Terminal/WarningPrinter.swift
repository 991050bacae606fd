import CalotypeStandard

/// Prints warnings about failures that do not stop a request, such as a cache that cannot be written to.
///
/// Each kind of failure is printed once: if a hundred images cannot be cached, there is one cause. Warnings can be
/// passed from any thread. They are printed on the main actor, in order.
final class WarningPrinter: EventListener {
    /// A line to print, and the kind of failure that is printed only once; nil if the line is always printed.
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
        case .issue(let error): warn(of: error, retriedAfter: event.retryDelay)
        case .lost(let count):
            let events = Quantity.count(count, "event")
            warnings.yield(("\(events) dropped because too many came at once; some warnings may be missing", nil))
        default: break
        }
    }

    /// Prints a failure soon, unless an equal one has been printed before.
    /// - Parameters:
    ///   - error: The failure.
    ///   - delay: The time until the failed operation is retried; nil if it is not retried.
    func warn(of error: ImageError, retriedAfter delay: Duration? = nil) {
        let next = delay.map { "; retrying in \(Quantity.tenths($0.seconds)) s" } ?? ""
        warnings.yield(("\(error)\(next)", Console.describe(error)))
    }

    /// Waits until all warnings are printed. Later warnings are ignored.
    func finish() async {
        warnings.finish()
        await printing.value
    }
}
