extension ImageError {
    /// The same error of a request that nobody has cancelled: a part that speaks of cancelling on its own has given up,
    /// which is a failure like any other.
    var asFailure: ImageError {
        guard code == .cancelled else { return self }
        var error = self
        error.message = "was cancelled by a component, though the request was not"
        error.code =
            switch stage {
            case .resolve: .processorFailed
            case .decode: .badData
            case .transform: .transformFailed
            default: .loadFailed
            }
        return error
    }
}
