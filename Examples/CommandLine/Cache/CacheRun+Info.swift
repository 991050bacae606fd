import CalotypeStandard

extension CacheRun {
    /// Prints the contents of the cache.
    func info() async throws -> ExitCode {
        let inventory = try await WorkProgress.showing("counting") { [cache] progress in
            try cache.inventory(progress: progress)
        }
        // The limit of another directory is known only to its application.
        let isOwn = directory == DiskCache.path(of: DiskCache.defaultDirectory)
        try say(
            CacheInfoReport(
                inventory, directory: directory, byteLimit: isOwn ? cache.configuration.byteLimit : nil,
                now: SystemTime().wallTime()))
        return .success
    }
}
