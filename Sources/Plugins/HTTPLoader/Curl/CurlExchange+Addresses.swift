#if HTTP
import CCurlShim
import Calotype

/// Checks of the addresses that a request may be sent to.
extension CurlExchange {
    /// Returns whether libcurl may open a connection to an address. libcurl calls this for each address that it tries.
    func mayConnect(to address: UnsafePointer<curl_sockaddr>) -> Bool {
        let isAllowed = allows(IPAddress(address), port: Int(ccurl_address_port(address)))
        if isAllowed { hasAllowedAddress = true } else { hasRefusedAddress = true }
        return isAllowed
    }

    /// Returns whether libcurl may send the request to an address. libcurl calls this even if the connection is reused.
    func maySend(to address: UnsafePointer<CChar>, port: Int32) -> Bool {
        allows(IPAddress(String(cString: address)), port: Int(port))
    }

    /// Returns whether the request's address policy allows a connection to an address. An address that cannot be read
    /// is allowed only by `AddressPolicy.any`.
    private func allows(_ address: @autoclosure () -> IPAddress?, port: Int) -> Bool {
        let policy = transfer.request.addressPolicy
        // A trusted proxy checks the addresses itself.
        guard policy != AddressPolicy.any, !isProxied else { return true }
        return address().map { policy.allows($0, port: port) } ?? false
    }

    /// Makes libcurl use the proxy that the request's proxy policy specifies, or no proxy. Throws `addressRefused` if
    /// the address policy forbids sending the request through the proxy.
    func setProxy() throws(ImageError) {
        let (request, origin) = (transfer.request, address.origin)
        let proxy = request.proxyPolicy.proxy(isSecure: origin.isSecure)
        let restricts = request.addressPolicy != AddressPolicy.any
        isProxied = proxy != nil
        if isProxied, restricts {
            guard request.proxyPolicy.isTrusted else { throw proxyRefused }
            let isAllowed = origin.address.map { request.addressPolicy.allows($0, port: origin.port) }
            guard isAllowed ?? !(origin.isLoopbackName || origin.endsInNumber) else { throw addressRefused }
        }
        // An empty proxy means none, regardless of the environment. If a policy restricts addresses, exceptions from
        // the environment are ignored, because the loader could not tell afterward whether the proxy was used.
        let exceptions: String? = isProxied ? (restricts ? "" : nil) : "*"
        try CurlHandle.require(ccurl_set_text(handle.easy, CURLOPT_PROXY, proxy ?? ""))
        try CurlHandle.require(ccurl_set_text(handle.easy, CURLOPT_NOPROXY, exceptions))
    }

    /// The error for a host whose addresses the address policy refuses. The message does not contain the addresses.
    var addressRefused: ImageError {
        ImageError(
            .addressRefused, stage: .load,
            message: "the address policy '\(policyName)' allows no connection to \(address.origin)",
            advice: "use a host with an allowed address, or change the context value `addressPolicy`")
    }

    private var proxyRefused: ImageError {
        ImageError(
            .addressRefused, stage: .load,
            message: "the address policy '\(policyName)' allows no connection to \(address.origin) through a proxy",
            advice: "set the context value `proxyPolicy` to `none`, or to `trustedEnvironment` if the proxy itself "
                + "refuses private addresses")
    }

    private var policyName: String { transfer.request.addressPolicy.contextText }
}

extension IPAddress {
    /// Creates an IP address from a socket address. Returns nil if the socket address is neither IPv4 nor IPv6.
    fileprivate init?(_ address: UnsafePointer<curl_sockaddr>) {
        var count: Int32 = 0
        let bytes = ccurl_address_bytes(address, &count)
        self.init(bytes: UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}
#endif
