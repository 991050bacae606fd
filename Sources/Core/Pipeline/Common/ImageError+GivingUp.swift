extension ImageError {
    /// This error with the code `cancelled` replaced by the failure code of its stage.
    ///
    /// Use it for a request that was not cancelled. A component that throws `cancelled` without a reason has failed
    /// like any other.
    var asFailure: ImageError {
        guard code == .cancelled else { return self }
        var error = self
        error.message = "a component cancelled the work, but the request was not cancelled"
        error.advice = error.advice ?? "try again"
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
