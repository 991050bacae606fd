#if HTTP
import CCurlShim
import Calotype

extension CurlExchange {
    /// The step that follows after libcurl has ended a request.
    enum Next {
        /// The redirect to this address is to be followed with another request.
        case follow(HTTPAddress)
        /// The exchange ends with this result.
        case end(Result<LoadOutcome, ImageError>)
    }

    /// Returns the next step after a request has ended with `code`. The code does not matter if the body is unwanted.
    func next(after code: CURLcode) -> Next {
        publish()
        switch plan {
        // libcurl reports success if the connection closes before the end of the head.
        case .undecided: return .end(.failure(code == CURLE_OK ? incomplete : failure(code)))
        case .confirm: return .end(.success(.notModified))
        case .follow(let address): return .follow(address)
        case .refuse(let error): return .end(.failure(error))
        case .deliver:
            guard code == CURLE_OK else { return .end(.failure(failure(code))) }
            let isWhole = expectedByteCount.map { $0 == receivedByteCount } ?? true
            return .end(isWhole ? .success(.complete) : .failure(incomplete))
        }
    }

    /// The code with which the exchange ends at its deadline: a timeout for an image, success for an unwanted body.
    var overdueCode: CURLcode {
        if case .deliver = plan { CURLE_OPERATION_TIMEDOUT } else { CURLE_OK }
    }

    /// Prepares the request to the target of a redirect. Throws `timedOut` if no time is left.
    func follow(_ next: HTTPAddress, _ lists: inout HeaderListCache) throws(ImageError) {
        if next.origin != address.origin { isForeign = true }
        address = next
        redirectCount += 1
        hopBegin = .now
        timeLeft = transfer.request.transferTimeout - Int(begin.duration(to: hopBegin).milliseconds)
        guard timeLeft > 0 else { throw tookTooLong }
        if !CurlHandle.canBeUsedAgain { try changeHandle() }
        (plan, hasHead, headerByteCount) = (.undecided, false, 0)
        (receivedByteCount, expectedByteCount, deadline, isHeldBack) = (0, nil, nil, false)
        (hasRefusedAddress, hasAllowedAddress) = (false, false)
        try setOptions(&lists)
    }

    /// Replaces the handle of the exchange. Call this only while the current handle is not part of the multi handle.
    private func changeHandle() throws(ImageError) {
        let next = try thread.takeHandle(for: transfer.request)
        handle.exchange = nil
        next.exchange = self
        handle = next
    }

    /// The metrics at the end of the transfer.
    var metrics: TransferMetrics {
        let toBegin = transfer.start.duration(to: begin)
        let toHop = transfer.start.duration(to: hopBegin)
        // libcurl measures each request from its own beginning and returns zero for steps that did not happen.
        func time(_ info: CURLINFO) -> Duration {
            let time = handle.time(info)
            return time > .zero ? toHop + time : .zero
        }
        var metrics = TransferMetrics()
        metrics.queued = toBegin
        let connectionCount = handle.number(CURLINFO_NUM_CONNECTS)
        let version = handle.number(CURLINFO_HTTP_VERSION)
        metrics.isConnectionReused = connectionCount == 0 && version != 0
        if connectionCount > 0 || version == 0 {
            metrics.nameLookedUp = time(CURLINFO_NAMELOOKUP_TIME_T)
            metrics.connected = time(CURLINFO_CONNECT_TIME_T)
            metrics.secured = time(CURLINFO_APPCONNECT_TIME_T)
        }
        metrics.firstByte = time(CURLINFO_STARTTRANSFER_TIME_T)
        metrics.total = transfer.start.duration(to: .now)
        metrics.receivedByteCount = receivedByteCount
        metrics.redirectCount = redirectCount
        metrics.protocolName = Self.protocolName(version)
        metrics.remoteAddress = handle.text(CURLINFO_PRIMARY_IP).flatMap { $0.isEmpty ? nil : $0 }
        return metrics
    }

    /// Returns the ALPN name (RFC 7301) for libcurl's number of an HTTP version; nil for unknown numbers.
    private static func protocolName(_ version: Int) -> String? {
        switch version {
        case CURL_HTTP_VERSION_1_0: "http/1.0"
        case CURL_HTTP_VERSION_1_1: "http/1.1"
        case CURL_HTTP_VERSION_2_0: "h2"
        case CURL_HTTP_VERSION_3: "h3"
        default: nil
        }
    }
}
#endif
