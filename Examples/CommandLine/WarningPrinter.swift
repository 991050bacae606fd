import CalotypeStandard

/// Prints failures that do not stop a request, such as a cache that cannot be written to.
///
/// Each kind of failure is told once: a hundred sources that cannot be kept are one thing to know. Told from any
/// thread; prints on the main actor, one after the other.
final class WarningPrinter: EventListener {
    private let errors: AsyncStream<ImageError>.Continuation
    private let printing: Task<Void, Never>

    @MainActor
    init(_ console: Console) {
        let (stream, continuation) = AsyncStream.makeStream(of: ImageError.self)
        errors = continuation
        printing = Task { @MainActor in
            var told: Set<String> = []
            for await error in stream {
                let isNew = told.insert(Console.describe(error)).inserted
                if isNew { console.complain("warning: \(error)") }
            }
        }
    }

    func received(_ event: PipelineEvent) {
        if case .failed(let error) = event.kind { warn(of: error) }
    }

    /// Prints a failure soon, unless one like it was printed.
    func warn(of error: ImageError) { errors.yield(error) }

    /// Returns when all is printed. Nothing can be told any more.
    func finish() async {
        errors.finish()
        await printing.value
    }
}
