import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A picture, and the address at which it can be had.
struct Offer: Sendable {
    /// What it is called in the table.
    let name: String
    /// What asks for it.
    let request: ImageRequest
    /// Whether the demonstration's own server has it, which counts how often it is asked.
    let isCounted: Bool

    /// A picture at a URL, which is taken as it is.
    init(url: String) {
        name = Self.name(of: url)
        request = ImageRequest(url)
        isCounted = false
    }

    /// A picture in a file.
    init(_ file: PictureFile) {
        name = file.name
        request = ImageRequest(path: file.path)
        isCounted = false
    }

    /// A picture in a file, served at a URL.
    init(_ file: PictureFile, servedAt url: URL) {
        name = file.name
        request = ImageRequest(url)
        isCounted = true
    }

    /// Whether a word is a URL: begins with a scheme and is not the name of a file.
    static func isURL(_ word: String) -> Bool {
        guard let colon = word.firstIndex(of: ":"), access(word, F_OK) != 0 else { return false }
        let scheme = word[..<colon]
        // Source: RFC 3986, section 3.1.
        return scheme.utf8.count > 1
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// What a source is called before anything is known of it: no secrets of a URL.
    static func name(of source: String) -> String {
        guard isURL(source) else { return source }
        let request = ImageRequest(source)
        // What cannot be read as a URL cannot be freed of its secrets either.
        return request.url == nil ? "\(source.prefix { $0 != ":" }):..." : request.description
    }
}
