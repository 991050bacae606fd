#if HTTP
import CCurlShim
import Calotype

/// libcurl's handle of one transfer at a time, to be used for many. Stays on one thread.
final class CurlHandle {
    let easy: UnsafeMutableRawPointer
    /// Where libcurl writes what went wrong.
    let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init() throws(ImageError) {
        guard let easy = curl_easy_init() else { throw .noMemoryForCurl }
        self.easy = easy
        message.pointee = 0
    }

    deinit {
        curl_easy_cleanup(easy)
        message.deallocate()
    }

    /// Takes back all options, so that nothing of a transfer is there for the next one.
    func reset() {
        curl_easy_reset(easy)
        message.pointee = 0
    }

    func number(_ info: CURLINFO) -> Int { ccurl_number(easy, info) }

    func offset(_ info: CURLINFO) -> Int { Int(ccurl_offset(easy, info)) }

    func time(_ info: CURLINFO) -> Duration { .microseconds(ccurl_offset(easy, info)) }

    func text(_ info: CURLINFO) -> String? { ccurl_text(easy, info).map { String(cString: $0) } }

    /// The value of the answer's header of that name, the `index`th of its equals; nil when there is none, and when it
    /// is longer than any sensible one.
    func header(_ name: String, at index: Int = 0) -> String? {
        guard let value = ccurl_header(easy, name, index) else { return nil }
        let text = String(cString: value)
        return text.utf8.count <= Self.longestHeader ? text : nil
    }

    private static let longestHeader = 8 << 10
}
#endif
