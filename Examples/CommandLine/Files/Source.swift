import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A picture on the command line: a path, a URL, or `-` for standard input.
struct Source: Sendable {
    /// The source as written on the command line, without credentials, for messages and reports.
    let name: String
    /// The request for the source; nil for standard input.
    let request: ImageRequest?

    /// Creates the source for a word of the command line. Throws `UsageError` if the word is empty.
    init(_ word: String) throws {
        guard !word.isEmpty else { throw UsageError("SOURCE is empty; use a path, a URL, or - for standard input") }
        if word == "-" {
            name = word
            request = nil
        } else if Self.isURL(word) {
            let request = ImageRequest(word)
            // Secrets cannot be removed from a text that is not a valid URL.
            name = request.url == nil ? "\(word.prefix { $0 != ":" }):..." : request.description
            self.request = request
        } else {
            let request = ImageRequest(path: Self.literal(word))
            // A word that is not the path of a file may be a mistyped URL, with a password in it.
            name = word.contains("://") && access(word, F_OK) != 0 ? request.description : word
            self.request = request
        }
    }

    /// Returns the sources of a command that takes several. Throws `UsageError` if there are none, or if standard input
    /// is given more than once.
    static func list(_ words: [String], for command: any Command) throws -> [Source] {
        guard !words.isEmpty else { throw UsageError("\(command.name) requires at least one SOURCE") }
        let sources = try words.map { try Source($0) }
        guard sources.filter(\.isStandardInput).count <= 1 else {
            throw UsageError("standard input (-) can be given only once")
        }
        return sources
    }

    /// Whether the source is standard input.
    var isStandardInput: Bool { request == nil }

    /// A text that is the same for different spellings of the same URL or path. Sources with different texts are loaded
    /// independently.
    var identity: String { request?.url?.absoluteURL.standardized.absoluteString ?? name }

    /// Returns a name for an output file, derived from the name of the source, without an extension.
    /// - Parameter attempt: 1 for the preferred name, 2 for the next one if the preferred name is taken, and so on.
    func fileName(_ attempt: Int) -> String {
        if request?.url?.scheme?.lowercased() == "data" { return "data-\(attempt)" }
        return attempt == 1 ? baseName : "\(baseName)-\(attempt)"
    }

    private var baseName: String {
        guard let request else { return "stdin" }
        let last = request.url?.lastPathComponent.split(separator: "/").last.map { String($0) } ?? ""
        var stem = FileName.split(last).stem
        if request.url?.isFileURL == false {
            // The name comes from a server: it must neither hide the file nor contain a path.
            stem.unicodeScalars.removeAll { $0.properties.generalCategory == .control }
            stem = String(stem.drop { $0 == "." })
        }
        guard !stem.isEmpty else { return "image" }
        // File systems limit names to 255 bytes; URLs have no such limit.
        while stem.utf8.count > 200 { stem.removeLast() }
        return stem
    }

    /// Returns a path in which a leading tilde or colon has no special meaning: a relative path begins with `./`.
    static func literal(_ path: String) -> String { path.hasPrefix("/") ? path : "./\(path)" }

    /// Returns whether a word begins with a URL scheme and is not the name of an existing file. Source: RFC 3986,
    /// section 3.1.
    private static func isURL(_ word: String) -> Bool {
        guard let colon = word.firstIndex(of: ":") else { return false }
        let scheme = word[..<colon].utf8
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard scheme.count > 1, let first = scheme.first, letters.contains(first | 0x20) else { return false }
        let isScheme = scheme.allSatisfy { byte in
            letters.contains(byte | 0x20) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-.".utf8.contains(byte)
        }
        return isScheme && access(word, F_OK) != 0
    }
}
