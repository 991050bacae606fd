/// A transfer under way: of what, and what it may confirm instead of bringing it.
struct TransferKey: Hashable, Sendable {
    let transfer: TransferID
    /// Those of the copy that a cache has; nil where there is none.
    let validators: Validators?
}
