extension Pipeline {
    /// Counts and reports the beginning of a request that memory does not answer at once. The caller must end the span.
    func begin(_ request: ImageRequest, _ listeners: Listeners) -> RequestSpan {
        RequestSpan(request, listeners: listeners, counters: counters, time: time)
    }

    /// Begins a step of the work for a request. The caller must end it.
    /// - Parameters:
    ///   - component: The component that does the step; nil if it is known only at the end.
    ///   - elapsed: The time that the step has already taken.
    func begin(
        _ stage: ImageError.Stage, of work: RequestWork, component: String? = nil, after elapsed: Duration = .zero
    ) -> StepSpan {
        begin(stage, of: work.request, requestID: work.waiter.requestID, component: component, after: elapsed)
    }

    /// Begins a step. The caller must end it.
    /// - Parameter requestID: The number of the request that waits for the step; nil if there is none.
    func begin(
        _ stage: ImageError.Stage, of request: ResolvedRequest, requestID: UInt64? = nil, component: String? = nil,
        after elapsed: Duration = .zero
    ) -> StepSpan {
        StepSpan(
            stage, component: component, subject: request.variant.description, requestID: requestID,
            listeners: request.listeners, counters: counters, time: time, after: elapsed)
    }

    /// Begins the step that resolves a request.
    func beginResolving(_ request: ImageRequest, _ listeners: Listeners, for waiter: any Waiter) -> StepSpan {
        StepSpan(
            .resolve, component: nil, subject: request.subject, requestID: waiter.requestID, listeners: listeners,
            counters: counters, time: time)
    }

    /// Returns a function that counts and reports a waiter that joins work in progress.
    func joining(_ stage: ImageError.Stage, _ work: RequestWork) -> () -> Void {
        { [self] in
            let request = work.request
            counters.joined(stage)
            guard !request.listeners.isEmpty else { return }
            request.listeners.tell(
                PipelineEvent(
                    .joined, stage: stage, requestID: work.waiter.requestID, tier: stage.tier,
                    subject: request.variant.description))
        }
    }

    /// Counts and reports a failure that does not stop the request.
    /// - Parameter delay: The time until the failed step is tried again; nil if there is no retry.
    func noteIssue(_ error: ImageError, of request: ResolvedRequest, retriedAfter delay: Duration? = nil) {
        counters.noteIssue(error)
        guard !request.listeners.isEmpty else { return }
        request.listeners.tell(
            PipelineEvent(
                .issue(error), stage: error.stage, component: error.component, tier: error.stage.tier,
                subject: request.variant.description, retryDelay: delay))
    }

    /// Counts and reports a request that the memory cache answers at once. Without listeners, this costs only one
    /// atomic addition.
    func noteHit(_ request: ImageRequest, _ resolved: ResolvedRequest) {
        counters.requestHitMemory()
        guard !resolved.listeners.isEmpty else { return }
        let id = counters.makeID()
        for kind in [PipelineEvent.Kind.began, .succeeded] {
            var event = PipelineEvent(kind, stage: .request, id: id, requestID: id, subject: request.subject)
            if case .succeeded = kind { event.source = .memory }
            resolved.listeners.tell(event)
        }
    }
}
