import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A picture as the command line names it: a path, a URL, or `-` for standard input.
struct Source: Sendable {
    /// As it was written, without credentials; for messages and reports.
    let name: String
    /// What asks for it, by a manager that loads; nil for standard input.
    let request: ImageRequest?

    /// Throws `UsageError` for an empty word.
    init(_ word: String) throws {
        guard !word.isEmpty else { throw UsageError("SOURCE is empty; use a path, a URL, or - for standard input") }
        if word == "-" {
            name = word
            request = nil
        } else if Self.isURL(word) {
            let request = ImageRequest(word)
            // What cannot be read as a URL cannot be freed of its secrets either.
            name = request.url == nil ? "\(word.prefix { $0 != ":" }):..." : request.description
            self.request = request
        } else {
            let request = ImageRequest(path: Self.literal(word))
            // What is no file may be a URL by mistake, with a password in it.
            name = word.contains("://") && access(word, F_OK) != 0 ? request.description : word
            self.request = request
        }
    }

    /// The sources of a command that takes several: one at least, and standard input once at most.
    static func list(_ words: [String], for command: any Command) throws -> [Source] {
        guard !words.isEmpty else { throw UsageError("\(command.name) requires at least one SOURCE") }
        let sources = try words.map { try Source($0) }
        guard sources.filter(\.isStandardInput).count <= 1 else {
            throw UsageError("standard input (-) can be given only once")
        }
        return sources
    }

    /// Whether it is piped into the tool.
    var isStandardInput: Bool { request == nil }

    /// What is equal for two names of one source.
    var identity: String { request?.url?.absoluteURL.standardized.absoluteString ?? name }

    /// What a file made of it may be called, without an extension.
    /// - Parameter attempt: 1 for the name to try first, 2 for the one to try where that is taken, and so on.
    func fileName(_ attempt: Int) -> String {
        if request?.url?.scheme?.lowercased() == "data" { return "data-\(attempt)" }
        return attempt == 1 ? baseName : "\(baseName)-\(attempt)"
    }

    private var baseName: String {
        guard let request else { return "stdin" }
        let last = request.url?.lastPathComponent.split(separator: "/").last.map { String($0) } ?? ""
        var stem = FileName.split(last).stem
        if request.url?.isFileURL == false {
            // The name is a server's: it must neither hide a file nor be more than a name.
            stem.unicodeScalars.removeAll { $0.properties.generalCategory == .control }
            stem = String(stem.drop { $0 == "." })
        }
        guard !stem.isEmpty else { return "image" }
        // File systems know names of up to 255 bytes, URLs know no such limit.
        while stem.utf8.count > 200 { stem.removeLast() }
        return stem
    }

    /// A path that is nothing but a path: a tilde or a colon at its beginning is a letter like others.
    static func literal(_ path: String) -> String { path.hasPrefix("/") ? path : "./\(path)" }

    /// Whether a word begins with a scheme. Source: RFC 3986, section 3.1. A file of that very name has precedence.
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
