import CalotypeStandard

/// `calotype cache`: what is kept on disk.
struct CacheCommand: Command {
    let name = "cache"
    let operands = "info | clear | path SOURCE"
    let summary = "Counts or removes what is kept on disk, or tells where an original is."
    let discussion = """
        info         the folder, the number of entries, their bytes and the limit
        clear        removes all entries
        path SOURCE  the file that the original of a source is kept in; exit code 1 without one
        """
    let options: [Option] = [.cacheFolder]

    @MainActor
    func run(_ arguments: Arguments, console: Console) async throws -> ExitCode {
        guard case .folder(let folder) = CacheChoice(arguments) else {
            throw UsageError("--cache takes a folder here; write ./none for one of that name")
        }
        guard let action = arguments.operands.first else { throw UsageError("cache lacks info, clear or path") }
        let names = Array(arguments.operands.dropFirst())
        let cache = DiskCache(at: folder)
        do {
            switch (action, names.count) {
            case ("info", 0): console.say(try await info(of: cache))
            case ("clear", 0): console.say(try await clear(cache))
            case ("path", 1): return try await original(of: Source(names[0]), in: cache, console: console)
            case ("path", _): throw UsageError("cache path takes one SOURCE")
            case ("info", _), ("clear", _): throw UsageError("cache \(action) takes no names")
            default: throw UsageError("cache knows info, clear and path, not '\(action)'")
            }
            return .success
        } catch let error as UsageError {
            throw error
        } catch {
            console.complain(about: Self.path(of: cache), error)
            return .failure
        }
    }

    private func info(of cache: DiskCache) async throws -> String {
        let (entries, bytes) = try await count(cache)
        return Table.text(
            [
                ["folder", Self.path(of: cache)],
                ["entries", String(entries)],
                ["bytes", "\(bytes) (\(Quantity.bytes(bytes)))"],
                ["limit", "\(cache.configuration.byteLimit) (\(Quantity.bytes(cache.configuration.byteLimit)))"],
            ], indent: 0)
    }

    private func clear(_ cache: DiskCache) async throws -> String {
        let (entries, bytes) = try await count(cache)
        try await Lane.files.run { try cache.clear() }
        return "removed \(Quantity.count(entries, "file")), \(Quantity.bytes(bytes))"
    }

    private func count(_ cache: DiskCache) async throws -> (entries: Int, bytes: Int) {
        try await Lane.files.run { (entries: try cache.totalCount(), bytes: try cache.totalByteCount()) }
    }

    private static func path(of cache: DiskCache) -> String { cache.folder.absoluteURL.path(percentEncoded: false) }

    @MainActor
    private func original(of source: Source, in cache: DiskCache, console: Console) async throws -> ExitCode {
        guard let request = source.request else {
            throw UsageError("standard input is not kept: cache path takes a path or a URL")
        }
        let manager = ImageManager(cache: .off, warnings: console.warnings)
        let key = try await manager.cacheKey(for: request).original
        guard try await Lane.files.run({ try cache.contains(key) }) else {
            console.complain("\(source.name): is not in the cache; 'calotype load' puts it there")
            return .failure
        }
        console.say(cache.path(for: key))
        return .success
    }
}
