import CalotypeStandard

/// A run of `calotype load`, which loads several sources with limited concurrency.
@MainActor
struct LoadRun: Sendable {
    let sources: [Source]
    let fetcher: Fetcher
    let output: OutputChoice?
    let report: LoadReport
    let progress: ProgressBar?

    /// Loads all sources and reports each result.
    func all(concurrency: Int) async {
        await withTaskGroup(of: Void.self) { group in
            var waiting = batches()[...]
            for batch in waiting.prefix(concurrency) {
                group.addTask { await load(batch) }
            }
            waiting = waiting.dropFirst(concurrency)
            while await group.next() != nil {
                guard let batch = waiting.popFirst() else { continue }
                group.addTask { await load(batch) }
            }
        }
    }

    /// Returns the indices of the sources, with equal sources in one group. The sources of a group are loaded one after
    /// another, so that all but the first are found in the cache instead of sharing one load.
    private func batches() -> [[Int]] {
        var batches: [[Int]] = []
        var known: [String: Int] = [:]
        for (index, source) in sources.enumerated() {
            if let batch = known[source.identity] {
                batches[batch].append(index)
            } else {
                known[source.identity] = batches.count
                batches.append([index])
            }
        }
        return batches
    }

    private func load(_ batch: [Int]) async {
        for index in batch { await load(index) }
    }

    private func load(_ index: Int) async {
        let start = ContinuousClock.now
        do {
            var fetched = try await fetcher.image(of: sources[index]) { progress?.report($0, of: index) }
            let path = try await write(&fetched, of: index)
            let total = start.duration(to: .now).milliseconds
            report.add(fetched, total: total, path: path, at: index)
        } catch {
            report.add(error, at: index)
        }
        progress?.finish(index)
    }

    /// Writes an image to its output file, and returns the path of the file. Returns nil if no output was requested.
    private func write(_ fetched: inout Fetched, of index: Int) async throws -> String? {
        guard let output else { return nil }
        let start = ContinuousClock.now
        let format = output.format(for: fetched.image.attributes.format)
        let data = try await fetcher.manager.encode(fetched.image, as: format, context: fetcher.context)
        let path = output.path(for: index, format: format)
        try await Lane.files.run { try OutputFile.save(data, to: path) }
        fetched.note("output", since: start)
        return path
    }
}
