/// A manager's threads, each kind of work with its own, so that none holds up another.
struct Lanes: Sendable {
    let loading: AsyncGate
    let resolving: Lane
    let reading: Lane
    let decoding: Lane
    let transforming: Lane
    let writing: Lane

    init(_ concurrency: Concurrency) {
        loading = AsyncGate(width: concurrency.loads)
        resolving = Lane(name: "ct-resolve", width: 4)
        reading = Lane(name: "ct-read", width: concurrency.reads)
        decoding = Lane(name: "ct-decode", width: concurrency.decodes)
        transforming = Lane(name: "ct-transform", width: concurrency.transforms)
        writing = Lane(name: "ct-write", width: concurrency.writes)
    }
}
