import CalotypeStandard

/// The action of `calotype cache`.
enum CacheAction: Sendable {
    case info
    case clear
    /// Trims to at least one of the bounds.
    case trim(byteCount: Int?, age: Duration?)
    case path(ImageRequest, name: String)
    case verify

    private static let names = "info, clear, trim, path or verify"

    /// Parses the arguments. Throws `UsageError` if they do not form an action, or contain a word or an option without
    /// effect.
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
    /// The cache configuration for the action. The tool does not know an application's maximum age and applies none;
    /// only `info` counts entries with the defaults, as `calotype load` would.
    var bounds: DiskCache.Configuration {
        switch self {
        case .info: DiskCache.Configuration()
        case .clear, .trim, .path, .verify: DiskCache.Configuration(maxAge: nil)
        }
    }
}
