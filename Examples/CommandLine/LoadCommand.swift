import CalotypeStandard

/// `calotype load`: the library's main job.
struct LoadCommand: Command {
    let name = "load"
    let operands = "SOURCE..."
    let summary = "Loads pictures through the caches, and writes them when told where to."
    let discussion = """
        Prints a line for each source: its format, its size before and after, where it came
        from (loader, disk or memory; stdin), how long it took, and the milliseconds of each
        stage. The same source given twice is loaded once and then found in memory, unless there
        is no cache. A file that has changed since it was kept is loaded again; what stands behind
        another URL is taken to stay as it is. On a terminal a bar shows how far the loads have come.

        Several pictures, or an --output that is a folder or ends in a slash, go into a folder,
        each under the name of its source, data URIs as data-1, data-2 and so on; nothing of the
        same run is overwritten.
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
