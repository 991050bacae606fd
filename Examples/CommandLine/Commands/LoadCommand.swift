import CalotypeStandard

/// `calotype load`: loads images through the caches.
struct LoadCommand: Command {
    let name = "load"
    let operands = "SOURCE..."
    let summary = "Loads images through the caches and optionally writes them to files."
    let discussion = """
        Prints one line per source: the format, the original and the resulting size, the origin
        (loader, disk, memory or stdin), the total time, and the milliseconds of each stage. A
        source that is given twice is loaded once and then found in memory, unless --cache is
        none. A file that changed after it was cached is loaded again. The contents of other
        URLs are assumed not to change. On a terminal, a progress bar is shown.

        Several images are written to a directory. So is a single image if --output is an
        existing directory or ends in a slash. Each file is named after its source; data URIs
        are named data-1, data-2 and so on. Sources in the directory and files of the same run
        are never overwritten.
        """
    let options = Option.loading

    @MainActor
    func run(_ arguments: Arguments, console: Console) async throws -> ExitCode {
        let sources = try Source.list(arguments.operands, for: self)
        let concurrency = try arguments.number(.concurrency, in: 1...1024) ?? 4
        let manager = console.makeManager(cache: CacheChoice(arguments))
        let context = try ImageContext(arguments, registry: manager.registry)
        let output = try OutputChoice(arguments, sources: sources, writable: manager.writableFormats)
        if let output {
            do {
                try await Lane.files.run { try output.prepare() }
            } catch {
                console.complain(Console.describe(error))
                return .failure
            }
        }
        let report = LoadReport(sources: sources, isJSON: arguments.has(.json), console: console)
        let fetcher = Fetcher(manager: manager, context: context)
        await ProgressBar.showing(count: sources.count) { progress in
            let run = LoadRun(
                sources: sources, fetcher: fetcher, output: output, report: report, progress: progress)
            await run.all(concurrency: concurrency)
        }
        await manager.finishTrimming()
        return report.failureCount == 0 ? .success : .failure
    }
}
