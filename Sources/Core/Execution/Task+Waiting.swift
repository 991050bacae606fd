extension Task where Success == Void, Failure == Never {
    /// Waits until the task has ended. Throws `CancellationError` as soon as the surrounding task is cancelled; the
    /// awaited task continues.
    func waitForEnd() async throws {
        let end = OneShot<Void>()
        // A task that awaits `value` directly does not notice its own cancellation.
        Task<Void, Never>.detached { [self] in
            await value
            end.resolve(.success(()))
        }
        try await withTaskCancellationHandler {
            try await end.value()
        } onCancel: {
            end.resolve(.failure(_Concurrency.CancellationError()))
        }
    }
}
