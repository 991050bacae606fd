#if HTTP
import Testing

@testable import CalotypeHTTP

/// The limit on libcurl's buffers while transfers are paused.
@Suite(.timeLimit(.minutes(5)))
struct HeldBodiesTests {
    private static let limit = 1 << 20

    /// The buffered bodies, and the exchanges for `update`.
    private final class Bench {
        var bodies = HeldBodies<FakeExchange>(limit: HeldBodiesTests.limit)
        var exchanges: [FakeExchange] = []

        /// Adds exchanges, and registers those that are paused.
        func add(_ added: FakeExchange...) {
            exchanges += added
            for exchange in added where exchange.isPaused { bodies.add(exchange) }
        }

        /// Performs the update of a round. Returns the number of exchanges that resume.
        func update() -> Int {
            let released = bodies.update(among: exchanges)
            for exchange in released { exchange.isHeldBack = false }
            return released.count
        }
    }

    private let bench = Bench()
    private let receiving = FakeExchange()

    @Test func `no load is held back up to the limit, and all on its connection beyond it`() {
        let bodies = [FakeExchange(holding: Self.limit / 2), FakeExchange(holding: Self.limit / 2)]
        let other = FakeExchange()
        bench.add(bodies[0], bodies[1], receiving, other)
        #expect(bench.update() == 0)
        #expect(!receiving.isHeldBack)
        bodies[1].heldByteCount += 1
        #expect(bench.update() == 0)
        #expect(receiving.isHeldBack)
        #expect(other.isHeldBack)
        #expect(bodies.allSatisfy { $0.stopCount == 0 }, "transfers that their readers paused need not be stopped")
    }

    @Test func `the limit covers all bodies, and only the connections of growing ones wait`() {
        let small = (0..<Self.limit / CurlHandle.bufferSize).map { _ in
            FakeExchange(host: "small.test", holding: CurlHandle.bufferSize)
        }
        for exchange in small { bench.add(exchange) }
        let neighbor = FakeExchange(host: "small.test")
        bench.add(FakeExchange(holding: CurlHandle.bufferSize + Self.limit), receiving, neighbor)
        #expect(bench.update() == 0)
        #expect(receiving.isHeldBack)
        #expect(!neighbor.isHeldBack, "each has its own connection")
    }

    @Test func `held-back loads continue once half of the limit is free`() {
        let body = FakeExchange(holding: Self.limit + 1)
        bench.add(body, receiving)
        #expect(bench.update() == 0)
        body.heldByteCount = Self.limit / 2 + 1
        #expect(bench.update() == 0)
        #expect(receiving.isHeldBack)
        body.heldByteCount = Self.limit / 2
        #expect(bench.update() == 1)
        #expect(bench.update() == 0, "it is counted once")
        #expect(receiving.stopCount == 1)
    }

    @Test func `a held-back load is stopped once, however long it takes`() {
        bench.add(FakeExchange(holding: Self.limit + 1), receiving)
        for _ in 0..<3 { #expect(bench.update() == 0) }
        #expect(receiving.stopCount == 1)
    }

    @Test func `a load that starts meanwhile is held back once it has a connection`() {
        let late = FakeExchange()
        late.isConnected = false
        bench.add(FakeExchange(holding: Self.limit + 1), late)
        #expect(bench.update() == 0)
        #expect(!late.isHeldBack)
        late.isConnected = true
        #expect(bench.update() == 0)
        #expect(late.isHeldBack)
    }

    @Test(arguments: [false, true])
    func `a body that continues or ends no longer counts`(ends: Bool) {
        let body = FakeExchange(holding: Self.limit + 1)
        bench.add(body, receiving)
        #expect(bench.update() == 0)
        if ends { body.isOver = true } else { body.isPaused = false }
        #expect(bench.update() == 1)
        #expect(!receiving.isHeldBack)
    }

    @Test func `a load that ended while held back is not resumed`() {
        let (body, approved) = (FakeExchange(holding: Self.limit + 1), FakeExchange())
        bench.add(body, receiving, approved)
        #expect(bench.update() == 0)
        receiving.isOver = true
        // Like an exchange whose redirect waits for approval: libcurl has ended its request.
        approved.isHeldBack = false
        body.isOver = true
        #expect(bench.update() == 0)
    }

    @Test func `removed loads neither count nor resume`() {
        bench.add(FakeExchange(holding: Self.limit + 1), receiving)
        #expect(bench.update() == 0)
        bench.bodies.removeAll()
        #expect(bench.update() == 0)
        #expect(receiving.stopCount == 1)
    }
}
#endif
