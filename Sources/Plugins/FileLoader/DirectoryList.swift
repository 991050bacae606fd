public import Calotype

/// Directories, each standing for all that lies in it, however deep: what `allowedDirectories` is a list of.
///
/// ```swift
/// let server = ImageManager(plugins: [.standard], context: [.allowedDirectories(["/srv/pictures", "/srv/logos"])])
/// ```
///
/// A value; two lists are equal when they name the same paths, in whatever order. An empty one stands for nothing.
public struct DirectoryList: Sendable, Hashable {
    /// The paths as text: sorted, each once, separated by colons. In them a colon is `%3A`, a per cent sign `%25`, and
    /// what is not ASCII is escaped byte by byte, so that no two paths look alike.
    public let contextText: String

    /// A list of directories.
    ///
    /// Symbolic links are followed when a file is judged, not now. A directory that is not there then stands for
    /// nothing, as does an empty path; one that names a file stands for that file.
    /// - Parameter paths: Their paths. One that is not absolute starts from the working directory as it is now.
    public init(_ paths: some Sequence<String>) {
        contextText = Set(paths.compactMap { PathText.text(of: $0) }).sorted().joined(separator: ":")
    }

    /// The paths, absolute and sorted.
    public var paths: [String] {
        contextText.split(separator: ":").compactMap { PathText.path(of: $0) }
    }
}

extension DirectoryList: ExpressibleByArrayLiteral {
    public init(arrayLiteral paths: String...) { self.init(paths) }
}

extension DirectoryList: ContextValue {
    public static var contextSyntax: String {
        "directories from the root, separated by ':', with %3A for a colon and %25 for a per cent sign in their names"
    }

    public init?(contextText: String) {
        let elements = contextText.isEmpty ? [] : contextText.split(separator: ":", omittingEmptySubsequences: false)
        // From the root: a word such as `off` means something else.
        guard elements.allSatisfy({ $0.utf8.first == UInt8(ascii: "/") }) else { return nil }
        let paths = elements.compactMap { PathText.path(of: $0) }
        guard paths.count == elements.count, !paths.contains("") else { return nil }
        self.init(paths)
    }
}

extension DirectoryList {
    /// Throws `accessDenied` unless `place` is in one of the directories, or is one of them. Blocks.
    func check(_ place: RealPath?) throws(ImageError) {
        guard let place else {
            throw ImageError(
                .accessDenied, stage: .load, message: "is somewhere that the system does not tell",
                advice: "make /proc available, by which open files are traced")
        }
        for path in paths {
            if let directory = RealPath(path), place.isInside(directory) { return }
        }
        throw ImageError(
            .accessDenied, stage: .load, message: "is outside the allowed directories",
            advice: "add the directory in which it really is to the context value `allowedDirectories`")
    }
}
