/// From where a test calls something.
enum Caller: String, CaseIterable, Sendable {
    /// A thread of the pool that tasks share, isolated to no actor.
    case pool
    case mainActor
    /// A ``NamedActor``.
    case namedActor
    /// A task that prefers a ``NamedExecutor``.
    case namedExecutor

    /// All from which nothing may be begun on the caller's thread.
    static let others = allCases.filter { $0 != .pool }
    /// Those whose threads have names of their own.
    static let named = [Caller.namedActor, .namedExecutor]

    /// The name of its thread; nil where that is shared with others.
    var threadName: String? {
        switch self {
        case .pool, .mainActor: nil
        case .namedActor: NamedActor.threadName
        case .namedExecutor: NamedExecutor.threadName
        }
    }

    /// Calls from there.
    func call<Made: Sendable>(_ body: @escaping @Sendable () async throws -> Made) async throws -> Made {
        switch self {
        case .pool: return try await Self.callOnPool(body)
        case .mainActor: return try await Self.callOnMainActor(body)
        case .namedActor:
            let owner = NamedActor()
            defer { withExtendedLifetime(owner) {} }
            return try await owner.call(body)
        case .namedExecutor:
            let executor = NamedExecutor()
            defer { withExtendedLifetime(executor) {} }
            let task = Task(executorPreference: executor) { try await body() }
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    @concurrent
    private static func callOnPool<Made: Sendable>(_ body: @Sendable () async throws -> Made) async throws -> Made {
        try await body()
    }

    @MainActor
    private static func callOnMainActor<Made: Sendable>(
        _ body: @Sendable () async throws -> Made
    ) async throws -> Made {
        try await body()
    }
}
