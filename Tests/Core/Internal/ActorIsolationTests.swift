import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ActorIsolationTests {
    @Test(arguments: Caller.allCases)
    func `work may begin where code is isolated to nothing and its task prefers nothing`(caller: Caller) async throws {
        let isNone = try await caller.call { ActorIsolation.isNone(#isolation) }
        #expect(isNone == (caller == .pool))
    }

    @Test func `what is given is what counts`() async throws {
        let (none, some) = try await Caller.pool.call {
            (ActorIsolation.isNone(nil), ActorIsolation.isNone(NamedActor()))
        }
        #expect(none)
        #expect(!some)
    }

    @Test func `a task of its own prefers nothing`() async throws {
        let isNone = try await Caller.namedExecutor.call {
            await Task.detached { ActorIsolation.isNone(#isolation) }.value
        }
        #expect(isNone)
    }
}
