#if HTTP
import CCurlShim
import Calotype

extension CurlExchange {
    /// Returns the status and headers of the response. Drops the exchange's copy of the headers to free memory.
    func takeHead() -> ResponseHead {
        defer { lines = HeaderLines() }
        let length = handle.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return ResponseHead(
            status: handle.number(CURLINFO_RESPONSE_CODE), contentLength: length >= 0 ? length : nil, lines: lines)
    }

    /// Returns how to treat a response. Throws if the response is not acceptable.
    func plan(for head: ResponseHead) throws(ImageError) -> Plan {
        let request = transfer.request
        if let location = head.location { return .follow(try redirect(to: location)) }
        if head.status == 304, request.isConditional { return .confirm }
        let isPart = head.status == 206 && request.resumeOffset > 0
        guard isPart || request.acceptableStatusCodes.contains(head.status) else { throw badStatus(head) }
        if head.status == 206 { try checkRange(head.contentRange, head.validators) }
        // By default all types are accepted, so the type need not be read.
        if request.acceptableContentTypes != .all, let type = head.mimeType,
            !request.acceptableContentTypes.contains(type)
        {
            throw ImageError(
                .badContentType, stage: .load,
                message: "the server \(address.origin) sent the content type '\(type)', which is not accepted",
                advice: "check the URL, or add the type to the context value `acceptableContentTypes`",
                cause: failure(head))
        }
        if let coding = head.contentCoding {
            throw ImageError(
                .loadFailed, stage: .load,
                message: "the server \(address.origin) used the content coding '\(coding.printable)', which was not "
                    + "requested",
                advice: "configure the server not to compress images", cause: failure(head))
        }
        if let byteCount = head.bodyByteCount, !transfer.hasRoom(for: byteCount) { throw noRoom(for: byteCount) }
        return .deliver
    }

    /// Returns the head of a response for the reader of the transfer. Call this as soon as the head has arrived,
    /// because the current time is stored as the time of its receipt.
    func received(_ answer: ResponseHead, isConfirmation: Bool) -> ReceivedHead {
        let now = SystemTime().wallTime()
        return ReceivedHead(
            answer: answer, isConfirmation: isConfirmation,
            requestedAt: now - hopBegin.duration(to: .now).seconds, receivedAt: now)
    }

    private func redirect(to location: String) throws(ImageError) -> HTTPAddress {
        let limit = transfer.request.maxRedirects
        guard redirectCount < limit else {
            let what = limit == 0 ? "which is not allowed" : "after the maximum of \(limit) redirects"
            throw address.refused("redirects the request, \(what)")
        }
        let next = try address.following(location)
        let scheme = next.origin.scheme
        guard transfer.request.allowedSchemes?.names.contains(scheme) != false else {
            throw address.refused("redirects to \(next.origin), whose scheme '\(scheme)' is not allowed")
        }
        return next
    }

    /// Throws `loadFailed` if a partial response does not continue the cached part of the image.
    private func checkRange(_ range: ContentRange?, _ validators: Validators?) throws(ImageError) {
        let offset = transfer.request.resumeOffset
        let what: String
        if offset == 0 {
            what = "a part of the image, which was not requested"
        } else if let range {
            // A server that ignores `If-Range` would cause two versions to be joined (RFC 9110, section 15.3.7.3).
            var isOther = false
            if let known = transfer.request.entityTag, let tag = validators?.entityTag {
                isOther = !known.isSame(as: tag)
            }
            // The comparison avoids `last + 1`, which could overflow.
            guard isOther || range.first != offset || range.total.map({ $0 - 1 }) != range.last else { return }
            what =
                isOther
                ? "a part of another version of the image"
                : "bytes \(range.first) to \(range.last) of \(range.total.map { "\($0)" } ?? "an unknown number") "
                    + "instead of all bytes from \(offset) on"
        } else {
            what = "a part of the image without stating its range"
        }
        throw ImageError(
            .loadFailed, stage: .load, message: "the server \(address.origin) sent \(what)",
            advice: "load the whole image again")
    }

    private func badStatus(_ head: ResponseHead) -> ImageError {
        let (code, advice): (ImageError.Code, String?) =
            switch head.status {
            case 404, 410: (.notFound, "check the URL")
            case 401, 403, 407: (.accessDenied, "check the credentials, for example in the context value `httpHeaders`")
            case 429, 503:
                (.badStatus, "try again " + (head.retryAfter.map { "in \($0.seconds.contextText) seconds" } ?? "later"))
            case 500...: (.badStatus, "try again later")
            default: (.badStatus, "check the URL, or add the status to the context value `acceptableStatusCodes`")
            }
        return ImageError(
            code, stage: .load,
            message: "the server \(address.origin) responded with \(HTTPStatusPhrase.of(head.status))",
            advice: advice, cause: failure(head), isTransient: Self.transientStatuses.contains(head.status),
            retryAfter: head.retryAfter)
    }

    /// The statuses of servers and gateways that are temporarily slow, busy or broken. Source: RFC 9110, section 15,
    /// and RFC 6585, section 4.
    private static let transientStatuses: Set = [408, 429, 500, 502, 503, 504]

    private func failure(_ head: ResponseHead) -> HTTPFailure {
        HTTPFailure(
            statusCode: head.status, mimeType: head.mimeType, host: address.origin.description,
            retryAfter: head.retryAfter)
    }
}
#endif
