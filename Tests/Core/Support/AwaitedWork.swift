/// A piece of work that requests share and wait for.
enum AwaitedWork {
    case original
    case decode
    /// The first transformers of the request, by their number.
    case steps(Int)
}
