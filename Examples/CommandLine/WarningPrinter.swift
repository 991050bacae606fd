import CalotypeStandard

/// Prints failures that do not stop a request, such as a cache that cannot be written to.
///
/// Each kind of failure is told once: a hundred sources that cannot be kept are one thing to know.
final class WarningPrinter: EventListener {
    private let console: Console
    private let told = Lock<Set<String>>([])

    init(_ console: Console) { self.console = console }

    func received(_ event: PipelineEvent) {
        if case .failed(let error) = event.outcome { warn(of: error) }
    }

    /// Prints a failure, unless one like it was printed.
    func warn(of error: ImageError) {
        let isNew = told.withLock { told -> Bool in
            told.insert(Console.describe(error)).inserted
        }
        if isNew { console.complain("warning: \(error)") }
    }
}
