/// A manager's threads, each kind of work with its own, so that none holds up another.
struct Lanes: Sendable {
    let loading: AsyncGate
    let resolving: Lane
    /// For looking at headers while the rest arrives: a slow decode must not hold up a load.
    let inspecting: Lane
    /// In front of `reading`: only as many as are about to read wait for memory, the others for their turn.
    let readingGate: AsyncGate
    let reading: Lane
    /// In front of `decoding`, likewise; no wider than the lane, so that it is the gate which says who is next.
    let decodingGate: AsyncGate
    let decoding: Lane
    let transforming: Lane
    /// What is kept is written behind what is wanted: an animation takes its time, and nobody waits for it.
    let encoding: Lane
    let writing: Lane

    init(_ concurrency: Concurrency) {
        loading = AsyncGate(width: max(1, concurrency.loads))
        resolving = Lane(name: "ct-resolve", width: 16)
        inspecting = Lane(name: "ct-inspect", width: 2)
        // Twice as wide, since reads are short: the next one is to be there when a thread is free.
        readingGate = AsyncGate(width: 2 * max(1, concurrency.reads))
        reading = Lane(name: "ct-read", width: max(1, concurrency.reads))
        decodingGate = AsyncGate(width: max(1, concurrency.decodes))
        decoding = Lane(name: "ct-decode", width: max(1, concurrency.decodes))
        transforming = Lane(name: "ct-transform", width: max(1, concurrency.transforms))
        encoding = Lane(name: "ct-encode", width: max(1, concurrency.transforms))
        writing = Lane(name: "ct-write", width: max(1, concurrency.writes))
    }
}
