/// The identity by which requests share a transfer: the URL, and the ``policy`` for everything else.
///
/// It is kept in memory only and never printed, since it contains the credentials of the URL and of headers.
struct TransferID: Sendable {
    let url: String
    /// The canonical text of the values that decide which bytes arrive, or whether they may arrive.
    let policy: String
    /// The ``policy`` with actual values in place of the names that represent them. Failures of loads are remembered
    /// under this text, because a failure depends on the values that were sent.
    let exactPolicy: String

    /// Creates the identity of the transfer of a URL.
    /// - Parameters:
    ///   - distinction: The ``ImageLoader/distinction`` of the registered loader; empty for none.
    ///   - version: A digest of the current version of the data; nil if it is not known.
    init(url: URL, context: ResolvedContext, distinction: String = "", version: String? = nil) {
        // A data URI can have megabytes, so its digest stands for it.
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

extension URL {
    /// The text of the URL in the identity of its transfer. It includes credentials, so it must never be printed.
    var transferText: String { TransferID(url: self, context: .builtIn).url }
}
