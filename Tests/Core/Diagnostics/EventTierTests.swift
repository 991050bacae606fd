import Calotype
import CalotypeTesting
import Testing

/// The cache tier of an event.
@Suite(.timeLimit(.minutes(5)))
struct EventTierTests {
    @Test func `queries and stores name the tier, other steps have none`() async throws {
        let bench = Bench()
        let response = try await bench.manager.response(for: bench.request())
        await bench.manager.waitForEvents()
        let events = bench.listener.events
        let ofTiers = events.filter { $0.tier != nil }
        #expect(ofTiers.map(\.line) == ["query began", "query missed", "store began", "store succeeded"])
        #expect(ofTiers.allSatisfy { $0.tier == .disk })
        #expect(response.metrics.steps.filter { $0.tier == .disk }.map(\.stage) == [.store])
        #expect(response.metrics.steps.filter { $0.tier == nil }.map(\.stage) == [.load, .decode])
    }

    @Test func `a disk hit names its tier, and a memory hit is reported by the request only`() async throws {
        let bench = Bench()
        _ = try await bench.manager.image(for: bench.request())
        try await bench.manager.clearCaches(.memory)
        let response = try await bench.manager.response(for: bench.request())
        #expect(response.metrics.steps.first?.stage == .query)
        #expect(response.metrics.steps.first?.tier == .disk)
        await bench.manager.waitForEvents()
        let found = bench.listener.successes(of: .query)
        #expect(found.map(\.tier) == [.disk])
        let count = bench.listener.events.count
        _ = try await bench.manager.image(for: bench.request())
        await bench.manager.waitForEvents()
        let hit = bench.listener.events.dropFirst(count)
        #expect(hit.map(\.line) == ["request began", "request succeeded"])
        #expect(hit.allSatisfy { $0.tier == nil })
        #expect(hit.last?.source == .memory)
    }

    @Test func `cache failures name the tier too`() async throws {
        struct Broken: Error {}
        let bench = Bench()
        bench.data.failure = Broken()
        _ = try await bench.manager.image(for: bench.request())
        await bench.manager.waitForEvents()
        let failed = bench.listener.events.filter { $0.line.hasSuffix(" issue") }
        #expect(Set(failed.map(\.stage)) == [.query, .store])
        #expect(failed.allSatisfy { $0.tier == .disk && $0.retryDelay == nil })
    }
}
