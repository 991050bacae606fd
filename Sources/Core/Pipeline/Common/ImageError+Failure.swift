extension ImageError {
    /// This error with the code `cancelled` replaced by the failure code of its stage.
    ///
    /// Use it if a component throws `cancelled` although the request was not cancelled.
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

    /// The value of ``asFailure``, or this error unchanged if the current task is cancelled.
    var asFailureUnlessCancelled: ImageError { Task.isCancelled ? self : asFailure }
}
