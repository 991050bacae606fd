import CalotypeStandard

/// A run of `calotype cache` on one directory.
@MainActor
struct CacheRun {
    let cache: DiskCache
    let isJSON: Bool
    let console: Console

    init(_ directory: URL, for action: CacheAction, isJSON: Bool, console: Console) {
        let warnings = console.warnings
        cache = DiskCache(at: directory, configuration: action.bounds, onIssue: { warnings.warn(of: $0) })
        self.isJSON = isJSON
        self.console = console
    }

    /// Performs the action and prints the result or the failure.
    func perform(_ action: CacheAction) async -> ExitCode {
        do {
            try checkDirectory()
            switch action {
            case .info: return try await info()
            case .clear: return try await clear()
            case .trim(let byteCount, let age): return try await trim(toByteCount: byteCount, olderThan: age)
            case .path(let request, let name): return try await path(for: request, name: name)
            case .verify: return try await verify()
            }
        } catch {
            console.complain(about: directory, error)
            return .failure
        }
    }

    /// The absolute path of the cache directory, without a slash at the end.
    var directory: String { DiskCache.path(of: cache.directory) }

    /// Prints a report: as JSON with `--json`, otherwise as text.
    func say(_ report: some CacheReport) throws {
        console.say(try isJSON ? JSON.line(report) : report.text)
    }

    /// Throws `cacheFailed` if the path is not a directory. Otherwise the error would be reported for each part of the
    /// cache.
    private func checkDirectory() throws {
        guard let identity = FileIdentity(directory), !identity.isDirectory else { return }
        throw ImageError(
            .cacheFailed, stage: .query, message: "is not a directory", advice: "pass a cache directory with --cache")
    }
}
