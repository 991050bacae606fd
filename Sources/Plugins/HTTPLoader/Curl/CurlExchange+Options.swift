#if HTTP
import CCurlShim
import Calotype

extension CurlExchange {
    /// Sets the options for the request to the current ``address``.
    func setOptions(_ lists: inout HeaderListCache) throws(ImageError) {
        let easy = handle.easy
        handle.message.pointee = 0
        let request = transfer.request
        let list = try lists.list(of: (isForeign ? request.headers.open : request.headers).fields, request.conditions)
        try CurlHandle.require(ccurl_set_text(easy, CURLOPT_URL, address.url))
        try CurlHandle.require(ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, list.first))
        headerList = list
        let credentials = isForeign ? nil : request.address.credentials
        try CurlHandle.require(ccurl_set_text(easy, CURLOPT_USERNAME, credentials?.user))
        try CurlHandle.require(ccurl_set_text(easy, CURLOPT_PASSWORD, credentials?.password))
        try setProxy()
        // Wait for a connection that is being opened instead of opening another one, but only if the server is known to
        // support several transfers on one connection. libcurl 7.88 checks no time limits during this wait.
        ccurl_set_number(easy, CURLOPT_PIPEWAIT, thread.sharesConnections(to: address.origin) ? 1 : 0)

        ccurl_set_number(easy, CURLOPT_TIMEOUT_MS, timeLeft)
        ccurl_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, request.connectTimeout)
        ccurl_set_number(easy, CURLOPT_LOW_SPEED_LIMIT, request.lowSpeedLimit)
        ccurl_set_number(easy, CURLOPT_LOW_SPEED_TIME, request.lowSpeedTime)
    }
}
#endif
