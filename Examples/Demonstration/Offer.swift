import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A picture that can be requested, and its name.
struct Offer: Sendable {
    /// The name of the picture in the table.
    let name: String
    /// The request for the picture.
    let request: ImageRequest
    /// Whether the picture is served by the server of the demonstration, which counts the requests.
    let isCounted: Bool

    /// Creates an offer for a picture at a URL.
    init(url: String) {
        name = Self.name(of: url)
        request = ImageRequest(url)
        isCounted = false
    }

    /// Creates an offer for a picture that is loaded from a file.
    init(_ file: PictureFile) {
        name = file.name
        request = ImageRequest(path: file.path)
        isCounted = false
    }

    /// Creates an offer for a picture in a file that the server of the demonstration serves at a URL.
    init(_ file: PictureFile, servedAt url: URL) {
        name = file.name
        request = ImageRequest(url)
        isCounted = true
    }

    /// Returns whether a word is a URL: it begins with a scheme, and there is no file with that name.
    static func isURL(_ word: String) -> Bool {
        guard let colon = word.firstIndex(of: ":"), access(word, F_OK) != 0 else { return false }
        let scheme = word[..<colon]
        // Source: RFC 3986, section 3.1.
        return scheme.utf8.count > 1
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Returns the name of a source for messages. If the source is a URL, the name does not contain its secrets.
    static func name(of source: String) -> String {
        guard isURL(source) else { return source }
        let request = ImageRequest(source)
        // Secrets cannot be removed from a text that is not a valid URL.
        return request.url == nil ? "\(source.prefix { $0 != ":" }):..." : request.description
    }
}
