/// The identity by which requests share a transfer: the URL, the policy and, where a loader tells them, its
/// distinctions and the version.
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
    ///   - distinction: The distinctions of the registered loader; empty for none.
    ///   - version: A digest of the version of what is there now; nil where nothing tells it.
    init(url: URL, context: ResolvedContext, distinction: String = "", version: String? = nil) {
        // Of what may be megabytes the digest does.
        self.url = url.isDataURI ? url.keyText : url.normalized.absoluteString
        var identity = context.identity(of: .transfer)
        if !distinction.isEmpty {
            identity = IdentityText(joining: [identity, IdentityText(distinction).named("distinction")], by: ";")
        }
        if let version {
            identity = IdentityText(joining: [identity, IdentityText(version).named("version")], by: ";")
        }
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
