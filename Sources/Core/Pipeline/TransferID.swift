/// Which requests may share a transfer: those with the same URL, fetched under the same policy, and of the same version
/// where a loader tells it.
///
/// Lives in memory alone and is never printed: it holds the URL with its credentials.
struct TransferID: Hashable, Sendable {
    let url: String
    /// The canonical text of the values that decide which bytes arrive, or whether they may.
    let policy: String

    /// - Parameter version: A digest of the version of what is there now; nil where nothing tells it.
    init(url: URL, context: ResolvedContext, version: String? = nil) {
        // Of what may be megabytes the digest does.
        self.url = url.isDataURI ? url.keyText : url.normalized.absoluteString
        var policy = context.identity(of: .transfer)
        if let version { policy.addToIdentity("version", version) }
        self.policy = policy
    }

    /// By bytes, which are what a server sees.
    static func == (one: TransferID, other: TransferID) -> Bool {
        one.url.isSame(as: other.url) && one.policy.isSame(as: other.policy)
    }
}
