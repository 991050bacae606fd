import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ActorIsolationTests {
    @Test(arguments: Caller.allCases)
    func `work may run inline only outside actors and preferred executors`(caller: Caller) async throws {
        let isNone = try await caller.call { ActorIsolation.isNone(#isolation) }
        #expect(isNone == (caller == .pool))
    }

    @Test func `the given isolation counts`() async throws {
        let (none, some) = try await Caller.pool.call {
            (ActorIsolation.isNone(nil), ActorIsolation.isNone(NamedActor()))
        }
        #expect(none)
        #expect(!some)
    }

    @Test func `a detached task has no preferred executor`() async throws {
        let isNone = try await Caller.namedExecutor.call {
            await Task.detached { ActorIsolation.isNone(#isolation) }.value
        }
        #expect(isNone)
    }
}
