#if HTTP
import Calotype

/// The head of an answer on its way from the thread to the reader, which makes of it what a sink is told.
///
/// Reading dates and the rest of what HTTP says to caches takes longer than anything else that is done for a small
/// image, and the thread has others to serve.
struct ReceivedHead: Sendable {
    let answer: ResponseHead
    /// Whether it says that the copy at hand still holds.
    let isConfirmation: Bool
    /// The time at which the request was sent, in seconds since 1970, as is the next.
    let requestedAt: Double
    let receivedAt: Double

    /// Names of those fields which are lists, of all that a cache looks at. Source: RFC 9110, section 12.5.5, and
    /// RFC 9111, sections 5.2 and 5.4.
    private static let lists: Set = ["cache-control", "pragma", "vary"]

    /// The memory that the head takes, or nearly so.
    var byteCount: Int { answer.lines.byteCount }

    /// Returns the head that a sink is told.
    /// - Parameter request: What was asked for.
    func loadHead(for request: HTTPRequest) -> LoadHead {
        // The fields of the request as it is made, which is all that a later one can be compared with: what was kept
        // from another origin would be kept from it again.
        let caching = HTTPCacheRecord(
            status: answer.status, requestedAt: requestedAt, receivedAt: receivedAt,
            field: field, requestField: { request.headers.choice(of: $0) })
        let isStorable = !caching.forbidsStoring
        // Its length is not the copy's.
        guard !isConfirmation else {
            return LoadHead(validators: answer.validators, isStorable: isStorable, caching: caching)
        }
        return LoadHead(
            expectedByteCount: answer.wholeByteCount, mimeType: answer.mimeType, validators: answer.validators,
            offset: answer.offset, isStorable: isStorable, caching: caching)
    }

    /// Returns the value of a field that a cache is told. Of a list all lines count, of what stands alone the first, as
    /// it does for all others who look at it.
    private func field(_ name: String) -> String? {
        Self.lists.contains(name.lowercased()) ? answer.lines.joined(name) : answer.lines.first(name)
    }
}
#endif
