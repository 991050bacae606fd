/// The cache key of a picture in a random run.
struct RandomPlace: Hashable {
    let source: RandomSource
    let variant: RandomVariant

    static let all = RandomSource.allCases.flatMap { source in
        RandomVariant.all.map { RandomPlace(source: source, variant: $0) }
    }

    var original: RandomPlace { RandomPlace(source: source, variant: .original) }
}
