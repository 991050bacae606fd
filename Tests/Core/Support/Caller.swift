/// The context from which a test calls a function.
enum Caller: String, CaseIterable, Sendable {
    /// A thread of the shared task pool, without actor isolation.
    case pool
    case mainActor
    /// A ``NamedActor``.
    case namedActor
    /// A task that prefers a ``NamedExecutor``.
    case namedExecutor

    /// The callers on whose threads no work may start.
    static let others = allCases.filter { $0 != .pool }
    /// The callers whose threads have their own names.
    static let named = [Caller.namedActor, .namedExecutor]

    /// The name of the caller's thread; nil if the thread is shared.
    var threadName: String? {
        switch self {
        case .pool, .mainActor: nil
        case .namedActor: NamedActor.threadName
        case .namedExecutor: NamedExecutor.threadName
        }
    }

    /// Calls `body` in this context.
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
