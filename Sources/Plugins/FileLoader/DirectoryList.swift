public import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
        contextText = Set(paths.compactMap(Self.canonicalText)).sorted().joined(separator: ":")
    }

    /// The paths, absolute and sorted.
    public var paths: [String] {
        contextText.split(separator: ":").compactMap(Self.path)
    }

    /// An absolute path without `.` and needless slashes, escaped; nil for an empty one. What `..` means depends on
    /// links and is left to the system.
    private static func canonicalText(_ path: String) -> String? {
        guard var path = path.isEmpty ? nil : path else { return nil }
        let slash = UInt8(ascii: "/")
        if path.utf8.first != slash {
            guard let current = getcwd(nil, 0) else { return nil }
            defer { free(current) }
            path = "\(String(cString: current))/\(path)"
        }
        let names = path.utf8.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
        return "/" + names.map(escaped).joined(separator: "/")
    }

    private static func escaped(_ name: Substring.UTF8View) -> String {
        name.reduce(into: "") { text, byte in
            if (0x20...0x7E).contains(byte), byte != UInt8(ascii: ":"), byte != UInt8(ascii: "%") {
                text.append(Character(UnicodeScalar(byte)))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// The path that an element of the text stands for; nil when it has a per cent sign that begins no escape, or is
    /// not UTF-8.
    private static func path(_ element: Substring) -> String? {
        var (path, rest): ([UInt8], Substring.UTF8View) = ([], element.utf8)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                path.append(byte)
                continue
            }
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == 2 else { return nil }
            rest = rest.dropFirst(2)
            path.append(UInt8(digits[0] << 4 | digits[1]))
        }
        return String(validating: path, as: UTF8.self)
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
        let paths = elements.compactMap(Self.path)
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
