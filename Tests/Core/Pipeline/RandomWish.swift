import Calotype
import CalotypeTesting

/// What a request of a random run asks for, and what may come of that.
struct RandomWish {
    /// Those that may answer, the request's own first, in the order in which they are asked.
    let asked: [RandomSource]
    let variant: RandomVariant
    let isFromCacheOnly: Bool
    let isRefreshed: Bool
    let showsPlaceholder: Bool
    /// How often a load is tried again.
    let retryCount: Int
    private let context: ImageContext

    /// - Parameter mayRemember: Whether it may want failures to be remembered.
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
    ///   - placeholder: What it shows until its picture is there, where it shows anything.
    ///   - taller: What adds rows, where they are to be added.
    func request(showing placeholder: Image, _ taller: FakeTransformer) -> ImageRequest {
        var context = variant.context(taller).merging(context)
        if showsPlaceholder { context.set(.placeholders([.image(placeholder)])) }
        return ImageRequest(asked[0].url, context: context)
    }

    /// What it fails with; nil where somebody always has a picture for it.
    var failure: ImageError.Code? {
        asked.allSatisfy { failure(of: $0) != nil } ? failure(of: asked[0]) : nil
    }

    /// Whether it can ever have a picture.
    var canSucceed: Bool { asked.contains { $0.hasPicture } }

    /// Whether the picture of a source may be the answer: the next one is asked only where one has failed.
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
    /// Whether something happens that does so once in `count` times.
    mutating func happens(onceIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
