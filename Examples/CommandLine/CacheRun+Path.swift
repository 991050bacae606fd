import CalotypeStandard

extension CacheRun {
    /// Tells in which file the original of a source is kept.
    func path(for request: ImageRequest, name: String) async throws -> ExitCode {
        let manager = console.makeManager(cache: .off)
        let key: VariantKey
        do {
            key = try await manager.cacheKey(for: request).original
        } catch {
            console.complain(about: name, error)
            return .failure
        }
        guard try await Lane.files.run({ [cache] in try cache.contains(key) }) else {
            console.complain(
                "\(name): is not in the cache; 'calotype load' puts it there, a file with --set storesFiles=on")
            return .failure
        }
        console.say(cache.path(for: key))
        return .success
    }
}
