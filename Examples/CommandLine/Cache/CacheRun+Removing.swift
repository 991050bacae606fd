import CalotypeStandard

extension CacheRun {
    /// Removes all entries, and prints how many were removed.
    func clear() async throws -> ExitCode {
        try await remove("clearing", by: [{ [cache] progress in try cache.clear(progress: progress) }])
    }

    /// Removes the entries that were not used for longer than `age`; then removes expired and least recently used
    /// entries until at most `byteCount` bytes are left. A bound that is nil is skipped.
    func trim(toByteCount byteCount: Int?, olderThan age: Duration?) async throws -> ExitCode {
        var removals: [CacheRemovalReport.Removal] = []
        if let age {
            removals.append { [cache] progress in try cache.removeAll(olderThan: age, progress: progress) }
        }
        if let byteCount {
            removals.append { [cache] progress in try cache.trim(toByteCount: byteCount, progress: progress) }
        }
        return try await remove("trimming", by: removals)
    }

    private func remove(_ name: String, by removals: [CacheRemovalReport.Removal]) async throws -> ExitCode {
        let report = try await WorkProgress.showing(name) { [cache] progress in
            try CacheRemovalReport(of: removals, from: cache, progress: progress)
        }
        try say(report)
        return .success
    }
}
