extension URL {
    /// The URL in its normal form: what two spellings of one address have in common.
    ///
    /// Scheme and host in lower case, no default port, no fragment, no empty path, dot segments resolved. Source:
    /// RFC 3986, section 6.2.2 and 6.2.3.
    var normalForm: URLComponents {
        guard var parts = URLComponents(url: absoluteURL.standardized, resolvingAgainstBaseURL: true) else {
            return URLComponents()
        }
        parts.scheme = parts.scheme?.lowercased()
        parts.fragment = nil
        if let host = parts.percentEncodedHost { parts.percentEncodedHost = host.lowercased() }
        if parts.scheme == "http" && parts.port == 80 || parts.scheme == "https" && parts.port == 443 {
            parts.port = nil
        }
        if parts.percentEncodedPath.isEmpty, parts.host != nil { parts.percentEncodedPath = "/" }
        return parts
    }

    /// The URL for messages and events: secrets are struck out.
    var redacted: String {
        var parts = normalForm
        if parts.user != nil || parts.password != nil {
            parts.user = nil
            parts.password = nil
        }
        parts.replaceSecrets { _ in "redacted" }
        return parts.string ?? "(unreadable URL)"
    }

    /// The URL for cache keys: credentials are gone, signatures are replaced by a digest, so that different ones remain
    /// different and none can be read from the disk.
    var keyText: String {
        var parts = normalForm
        parts.user = nil
        parts.password = nil
        parts.replaceSecrets { SHA256.hex(of: $0, byteCount: 8) }
        return parts.string ?? absoluteString
    }

    /// A digest of the user and password in the URL; nil when it has none.
    var credentialsDigest: String? {
        let parts = normalForm
        guard parts.user != nil || parts.password != nil else { return nil }
        return SHA256.hex(of: "\(parts.user ?? ""):\(parts.password ?? "")", byteCount: 8)
    }
}

extension URLComponents {
    /// Parameters by which servers recognise whom they gave an address to.
    private static let secretNames: Set<String> = [
        "signature", "sig", "x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-goog-signature",
        "x-goog-credential", "awsaccesskeyid", "key-pair-id", "policy", "token", "access_token", "auth", "apikey",
        "api_key", "password", "jwt",
    ]

    fileprivate mutating func replaceSecrets(_ replacement: (String) -> String) {
        guard let items = percentEncodedQueryItems else { return }
        guard items.contains(where: { Self.secretNames.contains($0.name.lowercased()) }) else { return }
        percentEncodedQueryItems = items.map { item in
            guard Self.secretNames.contains(item.name.lowercased()), let value = item.value else { return item }
            return URLQueryItem(name: item.name, value: replacement(value))
        }
    }
}
