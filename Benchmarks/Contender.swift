import CalotypeStandard

/// One side of a comparison.
struct Contender {
    /// Repeats the work and returns the seconds that it took.
    let run: (_ repeats: Int) async throws -> Double

    private init(run: @escaping (_ repeats: Int) async throws -> Double) { self.run = run }

    /// Creates a side in this process. `body` repeats the work and checks its results: the compiler may remove work
    /// whose results are unused.
    init(_ body: @escaping (_ repeats: Int) async throws -> Void) {
        self.init(run: { repeats in
            let start = ContinuousClock.now
            try await body(repeats)
            return start.duration(to: ContinuousClock.now).seconds
        })
    }

    /// Creates a side that keeps the time itself, because it works in another process or does work that is not
    /// measured.
    static func keepingTime(_ run: @escaping (_ repeats: Int) async throws -> Double) -> Contender {
        Contender(run: run)
    }
}
