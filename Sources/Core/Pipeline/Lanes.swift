/// The threads of a manager, and the gates at which work waits. Each kind of work has its own threads, so that no kind
/// of work delays another.
struct Lanes: Sendable {
    /// The gate for loads, except those of loaders that limit their own loads.
    let loading: AsyncGate
    /// The gate for loads of loaders that limit their own loads. Such a load enters when its first byte arrives, so
    /// that the gate limits only the bytes that wait to be decoded.
    let arriving: AsyncGate
    /// The threads for code outside the library: options processors, key filters and delegates.
    let resolving: Lane
    /// The threads for delegates that are asked about redirects. They are separate, since looking up a host is slow.
    let redirecting: Lane
    /// The threads on which loaders determine the version of a source if that may block, for example for a file on a
    /// slow device. Blocked threads cannot be interrupted, so a device that does not answer can delay all requests that
    /// need these threads.
    let versions: Lane
    /// The lane for short computations, such as reading the header of a file while the rest of the file arrives. It is
    /// separate so that a slow decode does not delay a load.
    let inspecting: Lane
    /// The gate before the ``reading`` lane.
    let readingGate: AsyncGate
    /// The lane for reading caches.
    let reading: Lane
    /// The gate before the ``decoding`` lane. It admits as many tasks at once as the lane has threads, so that the gate
    /// alone decides the order. Its budget is the memory that decodes may take together, in bytes.
    let decodingGate: AsyncGate
    /// The lane for decoding.
    let decoding: Lane
    /// The lane for transformers.
    let transforming: Lane
    /// The lane for encoding images. It is separate so that encoding an animation does not delay ``transforming``.
    let encoding: Lane
    /// The lane for writing to caches and removing from them.
    let writing: Lane

    /// Creates the lanes and the gates of a manager.
    init(_ concurrency: Concurrency, undecoded: Backlog, unfinished: Backlog) {
        loading = AsyncGate(width: max(1, concurrency.loads), into: undecoded)
        arriving = AsyncGate(width: .max, into: undecoded)
        resolving = Lane(name: "ct-resolve", width: 16)
        redirecting = Lane(name: "ct-redirect", width: 16)
        versions = Lane(name: "ct-version", width: 4)
        inspecting = Lane(name: "ct-inspect", width: 2)
        // Twice as wide as the lane, since reads are short: the next one must be ready when a thread is free.
        readingGate = AsyncGate(width: 2 * min(max(1, concurrency.reads), .max / 2), into: undecoded)
        reading = Lane(name: "ct-read", width: max(1, concurrency.reads))
        decodingGate = AsyncGate(
            width: max(1, concurrency.decodes), into: unfinished, budget: max(1, concurrency.decodeMemory))
        decoding = Lane(name: "ct-decode", width: max(1, concurrency.decodes))
        transforming = Lane(name: "ct-transform", width: max(1, concurrency.transforms))
        encoding = Lane(name: "ct-encode", width: max(1, concurrency.transforms))
        writing = Lane(name: "ct-write", width: max(1, concurrency.writes))
    }

    /// Runs `body` on the decoding lane in its turn. Use this method for work that takes hardly any memory.
    func decode<Made: Sendable>(
        for demand: Demand, job: Job = Job(), _ body: @escaping @Sendable (Job) throws -> Made
    ) async throws -> Made {
        try await decodingGate.run(for: demand) { try await decoding.run(for: demand, job: job, body) }
    }

    /// Runs `body` on the decoding lane when its gate admits it. `body` must request memory from the admission before
    /// it allocates the memory. If too little is left, `body` is stopped and runs again from the start once there is
    /// enough.
    ///
    /// The memory counts until the thread has released it, even if no request waits for the result by then.
    /// - Parameter costHere: The memory, in bytes, that `body` may request on the current thread. If `body` requests
    ///   more, it runs again on the lane. Decoding a small image costs no more than a switch of threads. `body` runs
    ///   only on the lane if the value is nil, or if the caller is isolated to an actor or runs outside the pool that
    ///   tasks share.
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
