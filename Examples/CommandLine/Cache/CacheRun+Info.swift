import CalotypeStandard

extension CacheRun {
    /// Tells what the cache holds.
    func info() async throws -> ExitCode {
        let inventory = try await WorkProgress.showing("counting") { [cache] progress in
            try cache.inventory(progress: progress)
        }
        // Which limit another directory has is for the program to say whose it is.
        let isOwn = directory == DiskCache.path(of: DiskCache.defaultDirectory)
        try say(
            CacheInfoReport(
                inventory, directory: directory, byteLimit: isOwn ? cache.configuration.byteLimit : nil,
                now: SystemTime().wallTime()))
        return .success
    }
}
