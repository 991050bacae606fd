import CalotypeStandard

/// Prints failures that do not stop a request, such as a cache that cannot be written to.
///
/// Each kind of failure is told once: a hundred sources that cannot be kept are one thing to know. Told from any
/// thread; prints on the main actor, one after the other.
final class WarningPrinter: EventListener {
    /// What failed, and after how long it is tried again.
    private typealias Warning = (error: ImageError, retryDelay: Duration?)

    private let warnings: AsyncStream<Warning>.Continuation
    private let printing: Task<Void, Never>

    @MainActor
    init(_ console: Console) {
        let (stream, continuation) = AsyncStream.makeStream(of: Warning.self)
        warnings = continuation
        printing = Task { @MainActor in
            var told: Set<String> = []
            for await (error, delay) in stream {
                let isNew = told.insert(Console.describe(error)).inserted
                let next = delay.map { "; tried again in \(Quantity.tenths($0.seconds)) s" } ?? ""
                if isNew { console.complain("warning: \(error)\(next)") }
            }
        }
    }

    func received(_ event: PipelineEvent) {
        if case .failed(let error) = event.kind { warnings.yield((error, event.retryDelay)) }
    }

    /// Prints a failure soon, unless one like it was printed.
    func warn(of error: ImageError) { warnings.yield((error, nil)) }

    /// Returns when all is printed. Nothing can be told any more.
    func finish() async {
        warnings.finish()
        await printing.value
    }
}
