#if HTTP
import Calotype

/// The head of a response as the transfer thread gives it to the reader of the transfer.
///
/// The reader parses dates and caching headers, because this is slow and the transfer thread serves all transfers.
struct ReceivedHead: Sendable {
    let answer: ResponseHead
    /// Whether the response confirms the cached copy.
    let isConfirmation: Bool
    /// The time at which the request was sent, in seconds since 1970.
    let requestedAt: Double
    /// The time at which the head was received, in seconds since 1970.
    let receivedAt: Double

    /// The names of the caching headers whose values are lists. Source: RFC 9110, section 12.5.5, and RFC 9111,
    /// sections 5.2 and 5.4.
    private static let lists: Set = ["cache-control", "pragma", "vary"]

    /// The approximate memory of the head in bytes.
    var byteCount: Int { answer.lines.byteCount }

    /// Returns the head in the form that the sink of the load takes.
    func loadHead(for request: HTTPRequest) -> LoadHead {
        // The record contains the fields of the original request, because a later request has only these to compare. If
        // a redirect to another origin removed fields now, it would remove them from the later request too.
        let caching = HTTPCacheRecord(
            status: answer.status, requestedAt: requestedAt, receivedAt: receivedAt,
            field: field, requestField: { request.headers.choice(of: $0) })
        let isStorable = !caching.forbidsStoring
        // The length in a confirmation is not that of the copy.
        guard !isConfirmation else {
            return LoadHead(validators: answer.validators, isStorable: isStorable, caching: caching)
        }
        return LoadHead(
            expectedByteCount: answer.wholeByteCount, mimeType: answer.mimeType, validators: answer.validators,
            offset: answer.offset, isStorable: isStorable, caching: caching)
    }

    /// Returns the value of a caching header; nil if there is none. Several lines are joined only if the value is a
    /// list.
    private func field(_ name: String) -> String? {
        Self.lists.contains(name.lowercased()) ? answer.lines.joined(name) : answer.lines.first(name)
    }
}
#endif
