import CalotypeStandard

/// One side of a comparison.
struct Contender {
    /// Does the work so often; returns the seconds that this took.
    let run: (_ repeats: Int) async throws -> Double

    private init(run: @escaping (_ repeats: Int) async throws -> Double) { self.run = run }

    /// A side in this process. `body` does the work so often, and checks that it was done: what it leaves unused the
    /// compiler might leave out.
    init(_ body: @escaping (_ repeats: Int) async throws -> Void) {
        self.init(run: { repeats in
            let start = ContinuousClock.now
            try await body(repeats)
            return start.duration(to: ContinuousClock.now).seconds
        })
    }

    /// A side that keeps the time itself, because it works in another process, or does what is not to be measured.
    static func keepingTime(_ run: @escaping (_ repeats: Int) async throws -> Double) -> Contender {
        Contender(run: run)
    }
}
