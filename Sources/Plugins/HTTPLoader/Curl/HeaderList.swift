#if HTTP
import CCurlShim
import Calotype

/// Headers in libcurl's form. Stays on the thread that created it.
final class HeaderList {
    /// The head of the linked list; nil for no headers.
    let first: UnsafeMutablePointer<curl_slist>?

    init(_ fields: [HTTPField]) throws(ImageError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for field in fields {
            guard let longer = curl_slist_append(list, field.line) else {
                curl_slist_free_all(list)
                throw .noMemoryForCurl
            }
            list = longer
        }
        first = list
    }

    deinit { curl_slist_free_all(first) }
}
#endif
