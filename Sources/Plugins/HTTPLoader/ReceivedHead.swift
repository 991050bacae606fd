#if HTTP
import Calotype

/// The head of an answer on its way from the thread to the reader, who makes of it what a sink is told.
///
/// Reading dates and the rest of what HTTP says to caches takes longer than anything else that is done for a small
/// image, and the thread has others to serve.
struct ReceivedHead: Sendable {
    let head: ResponseHead
    /// Whether it says that the copy at hand still holds.
    let isConfirmation: Bool
    /// When the request went to where this came from, in seconds since 1970, as is the next.
    let requestedAt: Double
    let receivedAt: Double

    /// What a sink is told of it.
    /// - Parameter request: What was asked for.
    func loadHead(for request: HTTPRequest) -> LoadHead {
        // The fields of the request as it is made, which is all that a later one can be compared with: what was kept
        // from another origin would be kept from it again.
        let caching = HTTPCacheRecord(
            status: head.status, requestedAt: requestedAt, receivedAt: receivedAt,
            field: { head.lines.joined($0) }, requestField: { request.headers[$0] })
        let isStorable = !caching.forbidsStoring
        // Its length is not the copy's.
        guard !isConfirmation else {
            return LoadHead(validators: head.validators, isStorable: isStorable, caching: caching)
        }
        return LoadHead(
            expectedByteCount: head.wholeByteCount, mimeType: head.mimeType, validators: head.validators,
            offset: head.offset, isStorable: isStorable, caching: caching)
    }
}
#endif
