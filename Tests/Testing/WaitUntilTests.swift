import CalotypeTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct WaitUntilTests {
    @Test func `a wait ends as soon as its condition holds`() async throws {
        var looks = 0
        try await waitUntil("the condition was evaluated three times") {
            looks += 1
            return looks == 3
        }
        #expect(looks == 3)
    }

    @Test func `the error of a failed wait has its expectation and time limit`() async {
        let error = await #expect(throws: WaitTimeout.self) {
            try await waitUntil("two is one", within: .zero) { false }
        }
        #expect(error?.expectation == "two is one")
        #expect(error?.limit == .zero)
        #expect(error.map { "\($0)" } == "not true within 0.0 seconds: two is one")
    }

    @Test func `a wait ends when its task is cancelled`() async {
        let gate = Gate()
        let wait = Task {
            // Cancellation also opens the gate.
            try? await gate.pass()
            try await waitUntil("the condition never holds") { false }
        }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
    }
}
