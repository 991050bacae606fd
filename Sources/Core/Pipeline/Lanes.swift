/// A manager's threads, each kind of work with its own, so that none holds up another; and the gates before them.
struct Lanes: Sendable {
    /// Loads, but for those of loaders that bound them on their own.
    let loading: AsyncGate
    /// Those loads, from their first byte on: before it they wait in the loader's queue.
    let arriving: AsyncGate
    /// The threads for code outside the library: options processors, key filters and delegates.
    let resolving: Lane
    /// The threads for delegates that are asked about redirects: one that looks up a host takes its time, which delays
    /// other redirects alone.
    let redirecting: Lane
    /// The threads for loaders that wait to tell a version. A device that does not answer delays no request whose
    /// version is told at once, such as those of the web. Once it holds all threads it delays each request whose
    /// version takes waiting, since the calls cannot be interrupted.
    let versions: Lane
    /// The lane for reading headers while the rest arrives: a slow decode must not delay a load.
    let inspecting: Lane
    /// The gate before `reading`.
    let readingGate: AsyncGate
    let reading: Lane
    /// The gate before `decoding`. It is no wider than the lane, so that it alone decides the order. Its budget is the
    /// memory that decodes take.
    let decodingGate: AsyncGate
    let decoding: Lane
    let transforming: Lane
    /// The lane for encoding what is stored: an animation takes time, and no request waits for it.
    let encoding: Lane
    let writing: Lane

    /// - Parameters:
    ///   - undecoded: Where what is loaded and read waits.
    ///   - unfinished: Where what is decoded waits.
    init(_ concurrency: Concurrency, undecoded: Backlog, unfinished: Backlog) {
        loading = AsyncGate(width: max(1, concurrency.loads), into: undecoded)
        arriving = AsyncGate(width: .max, into: undecoded)
        resolving = Lane(name: "ct-resolve", width: 16)
        redirecting = Lane(name: "ct-redirect", width: 16)
        versions = Lane(name: "ct-version", width: 4)
        inspecting = Lane(name: "ct-inspect", width: 2)
        // Twice as wide, since reads are short: the next one is to be there when a thread is free.
        readingGate = AsyncGate(width: 2 * min(max(1, concurrency.reads), .max / 2), into: undecoded)
        reading = Lane(name: "ct-read", width: max(1, concurrency.reads))
        decodingGate = AsyncGate(
            width: max(1, concurrency.decodes), into: unfinished, budget: max(1, concurrency.decodeMemory))
        decoding = Lane(name: "ct-decode", width: max(1, concurrency.decodes))
        transforming = Lane(name: "ct-transform", width: max(1, concurrency.transforms))
        encoding = Lane(name: "ct-encode", width: max(1, concurrency.transforms))
        writing = Lane(name: "ct-write", width: max(1, concurrency.writes))
    }

    /// Runs `body` on the lane for decoding in its turn, where it takes next to no memory.
    func decode<Made: Sendable>(
        for demand: Demand, job: Job = Job(), _ body: @escaping @Sendable (Job) throws -> Made
    ) async throws -> Made {
        try await decodingGate.run(for: demand) { try await decoding.run(for: demand, job: job, body) }
    }

    /// Runs `body` on the lane for decoding in its turn. Before it takes memory, it says how much to the admission that
    /// it is given: where there is too little, it is stopped there, and begun anew once there is enough.
    ///
    /// The thread that has read the header reserves it: no other has to read it before, and a picture that does not
    /// have to wait stays on its thread. The memory counts until the thread has released it, even if no request waits
    /// for the result any more.
    /// - Parameter costHere: So much may be taken on this thread, which saves the way to another one and back: that
    ///   costs as much as decoding a small picture. Where `body` wants more it is stopped, and begun anew on the lane;
    ///   nil for the lane at once.
    func decodeOnBudget<Made: Sendable>(
        for demand: Demand, job: Job = Job(), costHere: Int? = nil,
        _ body: @escaping @Sendable (Job, AsyncGate.Admission) throws -> Made
    ) async throws -> Made {
        try await decodingGate.runOnBudget(for: demand) { admission in
            if let costHere, ActorIsolation.isNone(#isolation) {
                let made = try await withTaskCancellationHandler {
                    try admission.limited(to: costHere) { try body(job, admission) }
                } onCancel: {
                    job.cancel()
                }
                if let made { return made }
            }
            return try await decoding.run(for: demand, job: job) { job in try body(job, admission) }
        }
    }
}
