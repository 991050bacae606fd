import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct OneShotTests {
    private struct Failure: Error, Equatable {
        let number: Int
    }

    @Test func `an early result is kept for the waiter`() async throws {
        let shot = OneShot<String>()
        shot.resolve(.success("early"))
        #expect(try await shot.value() == "early")
    }

    @Test func `an early waiter waits for the result`() async throws {
        let shot = OneShot<String>()
        let waiting = Task { try await shot.value() }
        for _ in 0..<100 { await Task.yield() }
        shot.resolve(.success("late"))
        #expect(try await waiting.value == "late")
    }

    @Test func `a failure is thrown`() async {
        let shot = OneShot<String>()
        shot.resolve(.failure(Failure(number: 3)))
        let result = await Task { try await shot.value() }.result
        guard case .failure(let error) = result else {
            Issue.record("expected an error")
            return
        }
        #expect(error as? Failure == Failure(number: 3))
    }

    @Test func `only the first result counts, even after it was read`() async throws {
        let shot = OneShot<Int>()
        let isFirst = shot.resolve(.success(1))
        let isSecond = shot.resolve(.failure(Failure(number: 2)))
        #expect(isFirst)
        #expect(!isSecond)
        #expect(try await shot.value() == 1)
        let isThird = shot.resolve(.success(3))
        #expect(!isThird)
    }

    @Test func `cancelling the task that waits does not end the wait`() async throws {
        let shot = OneShot<Int>()
        let waiting = Task { try await shot.value() }
        waiting.cancel()
        for _ in 0..<100 { await Task.yield() }
        let isFirst = shot.resolve(.success(5))
        #expect(isFirst)
        #expect(try await waiting.value == 5)
    }

    @Test func `of racing results exactly one wins, and it arrives`() async throws {
        for round in 0..<300 {
            let shot = OneShot<Int>()
            let waiting = Task { try await shot.value() }
            if round.isMultiple(of: 2) { await Task.yield() }
            let winners = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<4 { group.addTask { shot.resolve(.success(number)) ? number : nil } }
                var winners: [Int] = []
                for await winner in group { winners += winner.map { [$0] } ?? [] }
                return winners
            }
            let value = try await waiting.value
            #expect(winners == [value])
        }
    }
}
