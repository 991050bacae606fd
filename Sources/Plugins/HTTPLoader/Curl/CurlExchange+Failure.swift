#if HTTP
import CCurlShim
import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension CurlExchange {
    /// Returns the error for libcurl's result code of a transfer.
    func failure(_ code: CURLcode) -> ImageError {
        let text = String(cString: handle.message)
        // libcurl's messages about a proxy can contain the whole setting from the environment, including user and
        // password.
        let cause = CurlFailure(code, text: text.lowercased().contains("proxy") ? "" : text)
        let origin = address.origin
        func error(
            _ code: ImageError.Code, _ message: String, _ advice: String?, isTransient: Bool? = nil
        ) -> ImageError {
            ImageError(
                code, stage: .load, message: message, advice: advice, cause: cause, isTransient: isTransient)
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return error(
                .hostNotFound, "the host '\(origin.host.printable)' cannot be resolved",
                "check the URL and the network")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return error(
                .hostNotFound, "the host of the proxy for \(origin) cannot be resolved",
                "check the proxies in the environment variables")
        case CURLE_COULDNT_CONNECT where hasRefusedAddress && !hasAllowedAddress, CURLE_ABORTED_BY_CALLBACK:
            return addressRefused
        case CURLE_COULDNT_CONNECT:
            return error(
                .connectionFailed, "cannot connect to \(origin.host.printable):\(origin.port)\(systemReason(text))",
                "check the URL and the network")
        case CURLE_OPERATION_TIMEDOUT:
            return timedOut(cause)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            return error(
                .untrustedConnection, "the certificate of \(origin) could not be verified",
                "check the URL; to trust a private authority, set the context value `certificateAuthorities` or the "
                    + "environment variable `SSL_CERT_FILE` to its PEM file")
        case CURLE_SSL_CACERT_BADFILE:
            let file = handle.authorities.map { " from '\($0.printable)'" } ?? ""
            return error(
                .untrustedConnection, "the trusted certificates for \(origin) cannot be read\(file)",
                "check the PEM file in the context value `certificateAuthorities`, the environment variable "
                    + "`SSL_CERT_FILE` or the loader's configuration")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            return error(
                .untrustedConnection, "no secure connection to \(origin) could be established",
                "check the URL and the TLS configuration of the server")
        case CURLE_PARTIAL_FILE:
            return error(.incomplete, "the response of \(origin) ended after \(progress)", "try again")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            // The same code also stands for invalid chunks.
            guard !cause.text.hasSuffix("chunked-encoding") else { return notHTTP(cause) }
            return error(.connectionFailed, "the connection to \(origin) broke after \(progress)", "try again")
        case CURLE_OUT_OF_MEMORY where hasHeaderTooLong, Self.tooLarge:
            return tooManyHeaders
        case CURLE_OUT_OF_MEMORY:
            return .noMemoryForCurl
        case CURLE_LOGIN_DENIED, CURLE_AUTH_ERROR:
            return error(.accessDenied, "\(origin) does not accept the credentials", "check the credentials")
        case CURLE_URL_MALFORMAT:
            return error(.invalidURL, "is not a valid URL", "check the URL")
        case CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return error(.connectionFailed, "the connection to \(origin) broke after \(progress)", "try again")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING:
            return notHTTP(cause)
        case CURLE_BAD_FUNCTION_ARGUMENT where handle.number(CURLINFO_RESPONSE_CODE) > 0:
            // The code means a line without a colon or, before libcurl 8.3, a continuation line without a field before
            // it.
            return notHTTP(CurlFailure(code, text: "an invalid header line"))
        case CURLE_GOT_NOTHING:
            return error(
                .loadFailed, "\(origin) closed the connection without a response", "try again", isTransient: true)
        default:
            return error(.loadFailed, "could not be loaded from \(origin)", "check the URL and the network")
        }
    }

    /// The error for an incomplete response that libcurl did not report as an error.
    var incomplete: ImageError {
        ImageError(
            .incomplete, stage: .load, message: "the response of \(address.origin) ended after \(progress)",
            advice: "try again")
    }

    /// The error for a response whose headers exceed the limit.
    var tooManyHeaders: ImageError {
        ImageError(
            .limitExceeded, stage: .load,
            message: "\(address.origin) sent more than the allowed \(Self.headerLimit >> 10) KiB of headers",
            advice: "check the URL")
    }

    /// Returns the error for a body of at least `byteCount` bytes that does not fit into the memory budget. The error
    /// is transient unless the body alone exceeds the limit.
    func noRoom(for byteCount: Int) -> ImageError {
        let limit = transfer.request.maxArrivingBytes ?? .max
        let fitsAlone = byteCount - BodyBudget.freeByteCount <= limit
        return ImageError(
            .limitExceeded, stage: .load,
            message: "\(address.origin) sends at least \(byteCount) bytes, for which there is no room: beyond "
                + "\(BodyBudget.freeByteCount) bytes each, arriving images may take \(limit) bytes together",
            advice: fitsAlone
                ? "try again later, or raise the context value `maxArrivingBytes`"
                : "raise the context value `maxArrivingBytes` if the source is trusted",
            isTransient: fitsAlone)
    }

    /// Returns the error for a response with a transfer coding that is not accepted.
    func refusedTransferCoding(_ coding: String) -> ImageError {
        let origin = address.origin.description
        return ImageError(
            .loadFailed, stage: .load,
            message: "the server \(origin) used the transfer coding '\(coding.printable)', which was not requested",
            advice: "configure the server not to compress images",
            cause: HTTPFailure(
                statusCode: handle.number(CURLINFO_RESPONSE_CODE), mimeType: nil, host: origin, retryAfter: nil))
    }

    /// The error for a transfer that has exceeded its time limit.
    var tookTooLong: ImageError {
        ImageError(
            .timedOut, stage: .load,
            message: "the transfer took longer than \(Self.seconds(transfer.request.transferTimeout)); "
                + "\(address.origin) had sent \(progress)",
            advice: "try again, or raise the context value `transferTimeout`")
    }

    private func timedOut(_ cause: CurlFailure) -> ImageError {
        let request = transfer.request
        if cause.text.hasPrefix("Operation too slow") {
            return ImageError(
                .timedOut, stage: .load,
                message: "\(address.origin) sent fewer than \(request.lowSpeedLimit) bytes per second for "
                    + "\(request.lowSpeedTime) s; it had sent \(progress)",
                advice: "try again, or lower the context value `lowSpeedLimit`")
        }
        let isConnected = handle.offset(CURLINFO_PRETRANSFER_TIME_T) > 0
        let hasTimeLeft = begin.duration(to: .now) < .milliseconds(request.transferTimeout)
        guard !isConnected, hasTimeLeft else { return tookTooLong }
        return ImageError(
            .timedOut, stage: .load,
            message: "cannot connect to \(address.origin) within \(Self.seconds(request.connectTimeout))",
            advice: "check the URL and the network, or raise the context value `connectTimeout`", cause: cause)
    }

    private func notHTTP(_ cause: CurlFailure) -> ImageError {
        ImageError(
            .loadFailed, stage: .load, message: "the response of \(address.origin) is not valid HTTP",
            advice: "check the URL", cause: cause)
    }

    /// Returns the system's reason for a failed connection, to append to a message. Returns an empty text for other
    /// failures, because libcurl's error number may then be that of an earlier failure.
    private func systemReason(_ text: String) -> String {
        guard text.hasPrefix("Failed to connect") else { return "" }
        let code = Int32(truncatingIfNeeded: handle.number(CURLINFO_OS_ERRNO))
        return code == 0 ? "" : ": \(String(cString: strerror(code)))"
    }

    /// The result code of libcurl 8.6 and later for a header line that is too long.
    private static let tooLarge = CURLcode(rawValue: 100)

    /// Whether `CURLE_OUT_OF_MEMORY` stands for a header line that is too long. libcurl before 8.6 reports such a line
    /// with this code.
    private var hasHeaderTooLong: Bool {
        !hasHead && handle.offset(CURLINFO_STARTTRANSFER_TIME_T) > 0
    }

    private static func seconds(_ milliseconds: Int) -> String {
        "\((Double(milliseconds) / 1000).contextText) s"
    }

    /// The number of received bytes of the body, and its length if known, as text for messages.
    private var progress: String {
        "\(receivedByteCount)" + (expectedByteCount.map { " of \($0)" } ?? "") + " bytes"
    }
}
#endif
