#if HTTP
import CCurlShim
import Calotype

extension CurlExchange {
    /// Sets all options of the first request.
    func setOptions(_ configuration: CurlImageLoader.Configuration, _ lists: inout HeaderListCache) throws(ImageError) {
        let easy = handle.easy
        let context = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(easy, CURLOPT_PRIVATE, context)
        ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, handle.message)
        ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        ccurl_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlExchange.at(context).receive(UnsafeBufferPointer(start: bytes, count: size * count))
        }
        ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        ccurl_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlExchange.at(context).receiveHeader(UnsafeBufferPointer(start: bytes, count: size * count))
        }
        // Those of a proxy are no answer.
        ccurl_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        ccurl_keep_sockets_private(easy)
        // Without it libcurl changes what signals do, for the whole process.
        ccurl_set_number(easy, CURLOPT_NOSIGNAL, 1)
        // Without it the thread, and all transfers with it, waits for a name that nobody wants to know any more.
        ccurl_set_number(easy, CURLOPT_QUICK_EXIT, 1)
        ccurl_set_number(easy, CURLOPT_BUFFERSIZE, Self.bufferSize)
        ccurl_set_number(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        try require(ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
        try setTrust(configuration)
        try setHopOptions(&lists)
    }

    /// Freeing 64 KiB makes glibc's allocator tidy up all that is free, for each transfer again.
    private static let bufferSize = 60 << 10

    /// Sets the options of a request to where the ``address`` is now.
    func setHopOptions(_ lists: inout HeaderListCache) throws(ImageError) {
        let easy = handle.easy
        let request = transfer.request
        let list = try lists.list(of: (isForeign ? request.headers.open : request.headers).fields, request.conditions)
        try require(ccurl_set_text(easy, CURLOPT_URL, address.url))
        try require(ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, list.first))
        headerList = list
        let credentials = isForeign ? nil : request.address.credentials
        try require(ccurl_set_text(easy, CURLOPT_USERNAME, credentials?.user))
        try require(ccurl_set_text(easy, CURLOPT_PASSWORD, credentials?.password))
        // Rather a stream of a connection that is about to be there than a connection of its own.
        ccurl_set_number(easy, CURLOPT_PIPEWAIT, address.origin.isSecure ? 1 : 0)

        ccurl_set_number(easy, CURLOPT_TIMEOUT_MS, timeLeft)
        ccurl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout)
        ccurl_set_number(easy, CURLOPT_LOW_SPEED_LIMIT, request.lowSpeedLimit)
        ccurl_set_number(easy, CURLOPT_LOW_SPEED_TIME, request.lowSpeedTime)
    }

    private func setTrust(_ configuration: CurlImageLoader.Configuration) throws(ImageError) {
        ccurl_set_number(handle.easy, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        guard let file = configuration.certificateAuthorities else { return }
        try require(ccurl_set_text(handle.easy, CURLOPT_CAINFO, file.path(percentEncoded: false)))
        // The folder of the system's would be trusted as well.
        ccurl_set_text(handle.easy, CURLOPT_CAPATH, nil)
    }

    /// Throws unless libcurl took an option without which the transfer would be another one.
    private func require(_ code: CURLcode) throws(ImageError) {
        guard code != CURLE_OK else { return }
        throw code == CURLE_OUT_OF_MEMORY
            ? .noMemoryForCurl
            : ImageError(
                .loadFailed, stage: .load, message: "libcurl cannot do what it is asked for",
                advice: "install another version of it", cause: CurlFailure(code))
    }
}
#endif
