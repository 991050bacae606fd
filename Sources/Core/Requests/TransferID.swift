/// The identity by which requests share a transfer: the URL, the policy and, where a loader tells them, what
/// distinguishes it and the version.
///
/// It lives in memory alone and is never printed, since it holds the credentials of the URL and of headers. Two
/// identities are equal when all their bytes are.
struct TransferID: Sendable {
    let url: String
    /// The canonical text of the values that decide which bytes arrive, or whether they may.
    let policy: String
    /// The policy with all values in place of the names that stand for them. Failures are remembered by it, since they
    /// belong to what was sent.
    let exactPolicy: String

    /// - Parameters:
    ///   - distinction: What distinguishes the registered loader; empty for nothing.
    ///   - version: A digest of the version of what is there now; nil if nothing tells it.
    init(url: URL, context: ResolvedContext, distinction: String = "", version: String? = nil) {
        // Of what may be megabytes the digest does.
        self.url = url.isDataURI ? url.keyText : url.normalized.absoluteString
        let identity = context.identity(of: .transfer)
            .adding(.distinction, IdentityText(distinction))
            .adding(.version, version.map { IdentityText($0) })
        policy = identity.full
        exactPolicy = identity.exact
    }
}

extension TransferID: Hashable {
    static func == (one: TransferID, other: TransferID) -> Bool {
        one.url.isSame(as: other.url) && one.policy.isSame(as: other.policy)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(policy)
    }
}
