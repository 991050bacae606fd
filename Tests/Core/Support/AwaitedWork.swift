/// A piece of work that requests wait for, and share.
enum AwaitedWork {
    case original
    case decode
    /// The first so many of the request's transformers.
    case steps(Int)
}
