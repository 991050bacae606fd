extension ImageError {
    /// The error as a failure, for a request that was not cancelled. A component that throws `cancelled` on its own has
    /// failed like any other.
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
