#if HTTP
import CCurlShim
import Calotype

/// Headers in libcurl's form, a linked list. Used only on the thread that created it.
final class HeaderList {
    /// The first element of the linked list; nil if there are no headers.
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
