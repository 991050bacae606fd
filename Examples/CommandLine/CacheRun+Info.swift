import CalotypeStandard

extension CacheRun {
    /// Tells what the cache holds.
    func info() async throws -> ExitCode {
        let inventory = try await WorkProgress.showing("counting") { [cache] progress in
            try cache.inventory(progress: progress)
        }
        try say(
            CacheInfoReport(
                inventory, folder: folder, byteLimit: cache.configuration.byteLimit, now: SystemTime().wallTime()))
        return .success
    }
}
