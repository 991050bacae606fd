#if HTTP
import CCurlShim
import Calotype

/// The addresses that the request may be sent to.
extension CurlExchange {
    /// Whether libcurl may open a connection to an address. Called for each address of the host that it tries.
    func mayConnect(to address: UnsafePointer<curl_sockaddr>) -> Bool {
        let isAllowed = allows(IPAddress(address), port: Int(ccurl_address_port(address)))
        if isAllowed { hasAllowedAddress = true } else { hasRefusedAddress = true }
        return isAllowed
    }

    /// Whether libcurl may send the request on a connection to an address. Called for each request, also where the
    /// connection was opened for another one.
    func maySend(to address: UnsafePointer<CChar>, port: Int32) -> Bool {
        allows(IPAddress(String(cString: address)), port: Int(port))
    }

    /// An address that cannot be read is allowed only where all are.
    private func allows(_ address: @autoclosure () -> IPAddress?, port: Int) -> Bool {
        let policy = transfer.request.addressPolicy
        // A proxy that is trusted judges what it connects to.
        guard policy != AddressPolicy.any, !isProxied else { return true }
        return address().map { policy.allows($0, port: port) } ?? false
    }

    /// Sets which proxy the request goes through. Throws `addressRefused` where the address policy rules it out.
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
        // An empty proxy is none, whatever the environment says. Where a policy restricts addresses, the environment
        // does not say which hosts are reached without the proxy: nothing tells afterwards which way was taken.
        let exceptions: String? = isProxied ? (restricts ? "" : nil) : "*"
        try CurlHandle.require(ccurl_set_text(handle.easy, CURLOPT_PROXY, proxy ?? ""))
        try CurlHandle.require(ccurl_set_text(handle.easy, CURLOPT_NOPROXY, exceptions))
    }

    /// The error for a host without an address that the policy allows. It names the host as the URL does, and none of
    /// its addresses.
    var addressRefused: ImageError {
        ImageError(
            .addressRefused, stage: .load,
            message: "the address policy '\(policyName)' allows no connection to \(address.origin)",
            advice: "ask for a host whose addresses it allows, or set the context value `addressPolicy`")
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
    /// The address of a socket; nil for one that is no IP address.
    fileprivate init?(_ address: UnsafePointer<curl_sockaddr>) {
        var count: Int32 = 0
        let bytes = ccurl_address_bytes(address, &count)
        self.init(bytes: UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}
#endif
