import CalotypeStandard

extension CacheRun {
    /// Prints the path of the cached original of a source. The exit code is 1 if the original is not in the cache.
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
                "\(name): the original is not in the cache; load it with 'calotype load', "
                    + "a file with --set storesFiles=on and a data URI with --set storesDataURIs=on")
            return .failure
        }
        console.say(cache.path(for: key))
        return .success
    }
}
