public import Calotype

/// A list of directories, each of which includes everything below it. The context key `allowedDirectories` has this
/// type.
///
/// ```swift
/// let server = ImageManager(plugins: [.standard], context: [.allowedDirectories(["/srv/pictures", "/srv/logos"])])
/// ```
///
/// Two lists are equal if they name the same paths, in any order. An empty list allows nothing.
public struct DirectoryList: Sendable, Hashable {
    /// The paths as text: sorted, unique and separated by colons. Within a path, a colon is written as `%3A` and a
    /// percent sign as `%25`. Bytes outside printable ASCII are escaped in the same way, so that different paths have
    /// different texts.
    public let contextText: String

    /// Creates a list of directories.
    ///
    /// Symbolic links are followed when a file is checked, not when the list is created. A directory that is missing at
    /// the time of the check allows nothing. An empty path allows nothing either. A path of a file allows that file.
    /// - Parameter paths: The paths. A relative path is resolved when the list is created, against the current working
    ///   directory.
    public init(_ paths: some Sequence<String>) {
        contextText = Set(paths.compactMap { PathText.text(of: $0) }).sorted().joined(separator: ":")
    }

    /// The absolute paths, in the order of ``contextText``.
    public var paths: [String] {
        contextText.split(separator: ":").compactMap { PathText.path(of: $0) }
    }
}

extension DirectoryList: ExpressibleByArrayLiteral {
    public init(arrayLiteral paths: String...) { self.init(paths) }
}

extension DirectoryList: ContextValue {
    public static var contextSyntax: String {
        "absolute paths of directories, separated by ':', with %3A for a colon and %25 for a percent sign in them"
    }

    public init?(contextText: String) {
        let elements = contextText.isEmpty ? [] : contextText.split(separator: ":", omittingEmptySubsequences: false)
        // Paths must be absolute, because a word such as `off` has another meaning.
        guard elements.allSatisfy({ $0.utf8.first == UInt8(ascii: "/") }) else { return nil }
        let paths = elements.compactMap { PathText.path(of: $0) }
        guard paths.count == elements.count, !paths.contains("") else { return nil }
        self.init(paths)
    }
}

extension DirectoryList {
    /// Throws `accessDenied` if `place` is nil or outside the directories. Blocks.
    /// - Parameter place: The real path of a file; nil if the system cannot determine it.
    func check(_ place: RealPath?) throws(ImageError) {
        guard let place else {
            throw ImageError(
                .accessDenied, stage: .load, message: "is in a directory that the system cannot determine",
                advice: "mount /proc, which is required to determine it")
        }
        for path in paths {
            if let directory = RealPath(path), place.isInside(directory) { return }
        }
        throw ImageError(
            .accessDenied, stage: .load, message: "is outside the allowed directories",
            advice: "add its real directory, without symbolic links, to the context value `allowedDirectories`")
    }
}
