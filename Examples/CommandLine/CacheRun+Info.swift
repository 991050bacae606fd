import CalotypeStandard

extension CacheRun {
    /// Tells what the cache holds.
    func info() async throws -> ExitCode {
        let inventory = try await WorkProgress.showing("counting") { [cache] progress in
            try cache.inventory(progress: progress)
        }
        // Which limit another folder has is for the program to say whose it is.
        let isOwn = folder == DiskCache.path(of: DiskCache.defaultFolder)
        try say(
            CacheInfoReport(
                inventory, folder: folder, byteLimit: isOwn ? cache.configuration.byteLimit : nil,
                now: SystemTime().wallTime()))
        return .success
    }
}
