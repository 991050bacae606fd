import CalotypeStandard

/// The action of `calotype cache`.
enum CacheAction: Sendable {
    case info
    case clear
    /// Removes entries until all given bounds are met: the total size in bytes, and the time since the last use. At
    /// least one bound is not nil.
    case trim(byteCount: Int?, age: Duration?)
    case path(ImageRequest, name: String)
    case verify

    private static let names = "info, clear, trim, path or verify"

    /// Creates the action from the arguments. Throws `UsageError` if the arguments are not a valid action, or contain a
    /// word or an option that the action does not use.
    init(_ arguments: Arguments) throws {
        let words = arguments.operands
        guard let name = words.first else { throw UsageError("cache requires an action: \(Self.names)") }
        var options: [Option] = [.json]
        var wordCount = 1
        switch name {
        case "info": self = .info
        case "clear": self = .clear
        case "trim":
            let byteCount = try arguments.byteCount(.trimSize)
            let age = try arguments.duration(.trimAge)
            guard byteCount != nil || age != nil else {
                throw UsageError("cache trim requires --to SIZE, --older-than AGE, or both")
            }
            self = .trim(byteCount: byteCount, age: age)
            options += [.trimSize, .trimAge]
        case "path":
            guard words.count == 2 else {
                throw UsageError("cache path takes one SOURCE, not \(words.count - 1)")
            }
            let source = try Source(words[1])
            guard let request = source.request else {
                throw UsageError("cache path takes a path or a URL, because standard input is never cached")
            }
            self = .path(request, name: source.name)
            options = []
            wordCount = 2
        case "verify": self = .verify
        default: throw UsageError("unknown cache action '\(name)'; use \(Self.names)")
        }
        guard words.count == wordCount else { throw UsageError("cache \(name) takes no operands") }
        for option in [Option.trimSize, .trimAge, .json] where arguments.has(option) {
            guard options.contains(where: { $0.name == option.name }) else {
                throw UsageError("cache \(name) does not accept \(option.name)")
            }
        }
    }
}

extension CacheAction {
    /// The configuration of the disk cache for the action.
    ///
    /// The tool does not know the maximum age that an application has set, so `clear`, `trim`, `path` and `verify` use
    /// none. `info` uses the default maximum age, as `calotype load` does.
    var bounds: DiskCache.Configuration {
        switch self {
        case .info: DiskCache.Configuration()
        case .clear, .trim, .path, .verify: DiskCache.Configuration(maxAge: nil)
        }
    }
}
