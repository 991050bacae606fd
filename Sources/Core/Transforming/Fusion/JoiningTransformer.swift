/// A transformer that can do the work of the next transformer as well, in one pass over the pixels.
///
/// The whole picture is then read and written once. The manager joins transformers after those that are done while the
/// picture is decoded (``Explanation/joinedTransformers``). Color filters are such transformers.
public protocol JoiningTransformer: Transformer {
    /// Returns a transformer with the same results as this one followed by another; nil if these two cannot be joined.
    ///
    /// Pixels must be the same, bit by bit. The result may join a third transformer in turn.
    func joined(with next: any Transformer) -> (any Transformer)?
}

extension ArraySlice<any Transformer> {
    /// The transformers, with those that can be joined as one.
    var withJoins: [any Transformer] {
        reduce(into: []) { steps, step in
            if let last = steps.last as? any JoiningTransformer, let both = last.joined(with: step) {
                steps[steps.count - 1] = both
            } else {
                steps.append(step)
            }
        }
    }
}
