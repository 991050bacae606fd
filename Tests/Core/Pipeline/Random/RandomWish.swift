import Calotype
import CalotypeTesting

/// A random request, and its possible results.
struct RandomWish {
    /// The sources in the order in which they are tried, the request's own first.
    let asked: [RandomSource]
    let variant: RandomVariant
    let isFromCacheOnly: Bool
    let isRefreshed: Bool
    let showsPlaceholder: Bool
    /// The number of retries.
    let retryCount: Int
    private let context: ImageContext

    /// - Parameter mayRemember: Whether it may request that failures are remembered.
    init(_ random: inout SplitMix64, mayRemember: Bool = true) {
        let counts = [0, 0, 1, 2]
        let source = RandomSource.allCases.randomElement(using: &random)!
        let others = (0..<counts.randomElement(using: &random)!).map { _ in
            RandomSource.allCases.randomElement(using: &random)!
        }
        var asked: [RandomSource] = []
        for one in [source] + others where !asked.contains(one) { asked.append(one) }
        self.asked = asked
        variant = RandomVariant.all.randomElement(using: &random)!
        isFromCacheOnly = random.happens(onceIn: 8)
        isRefreshed = random.happens(onceIn: 3)
        showsPlaceholder = random.happens(onceIn: 4)

        var context: ImageContext = []
        context.set(.alternatives(others.map(\.url)))
        if isFromCacheOnly { context.set(.fromCacheOnly) }
        if isRefreshed { context.set(.refreshCached) }
        retryCount = random.happens(onceIn: 2) ? Int.random(in: 1...3, using: &random) : 0
        context.set(.retryPolicy(RetryPolicy(count: retryCount, firstDelay: .zero)))
        if mayRemember, random.happens(onceIn: 2) { context.set(.failedURLTimeToLive(.seconds(10))) }
        if random.happens(onceIn: 4) { context.set(.retryFailed) }
        if random.happens(onceIn: 3) { context.set(.waitStoreCache) }
        self.context = context
    }

    /// - Parameters:
    /// - placeholder: The placeholder that it shows, if it has any.
    /// - taller: The transformer that adds rows, if it adds any.
    func request(showing placeholder: Image, _ taller: FakeTransformer) -> ImageRequest {
        var context = variant.context(taller).merging(context)
        if showsPlaceholder { context.set(.placeholders([.image(placeholder)])) }
        return ImageRequest(asked[0].url, context: context)
    }

    /// The error code of its failure; nil if one of its sources never fails.
    var failure: ImageError.Code? {
        asked.allSatisfy { failure(of: $0) != nil } ? failure(of: asked[0]) : nil
    }

    /// Whether it can succeed.
    var canSucceed: Bool { asked.contains { $0.hasPicture } }

    /// Returns whether a source's picture may be the result. A source is tried only if all previous ones can fail.
    func mayBeAnswered(by source: RandomSource) -> Bool {
        guard let index = asked.firstIndex(of: source) else { return false }
        return asked[..<index].allSatisfy { failure(of: $0) != nil }
    }

    private func failure(of source: RandomSource) -> ImageError.Code? {
        isFromCacheOnly ? .notCached : source.failure
    }
}

extension RandomWish: CustomStringConvertible {
    var description: String {
        var words = asked.map { "\($0)" }
        if let side = variant.side { words.append("\(side)") }
        if variant.isTaller { words.append("taller") }
        if isFromCacheOnly { words.append("from caches only") }
        if isRefreshed { words.append("refreshed") }
        return words.joined(separator: ", ")
    }
}

extension SplitMix64 {
    /// Returns true with a probability of one in `count`.
    mutating func happens(onceIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
