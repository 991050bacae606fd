/// Which requests may share a transfer: those with the same URL, fetched under the same policy.
///
/// Lives in memory alone and is never printed: it holds the URL with its credentials.
struct TransferID: Hashable, Sendable {
    let url: String
    /// The canonical text of the values that decide which bytes arrive, or whether they may.
    let policy: String

    init(url: URL, context: ResolvedContext) {
        // Of what may be megabytes the digest does.
        self.url = url.isDataURI ? url.keyText : url.normalized.absoluteString
        policy = context.identity(of: .transfer)
    }

    /// By bytes, which are what a server sees.
    static func == (one: TransferID, other: TransferID) -> Bool {
        one.url.isSame(as: other.url) && one.policy.isSame(as: other.policy)
    }
}
