/// The lists of requests of a prefetcher, and the workers that process the lists.
///
/// A worker runs one request at a time, and reports its end before it takes the next one. The lists take turns, one
/// request at a time. Thread-safe; client code is never called under the lock.
final class PrefetchQueue: Sendable {
    /// One request for a worker to run.
    private struct Turn {
        let token: PrefetchToken
        /// The index of the request in its list.
        let index: Int
        let request: @Sendable (Int) -> ImageRequest
    }

    private struct List {
        let token: PrefetchToken
        /// A closure that makes the request at an index. Requests are made on demand to save memory.
        let request: @Sendable (Int) -> ImageRequest
        let onProgress: (@Sendable (PrefetchProgress) -> Void)?
        var progress: PrefetchProgress
        /// The number of requests of the list that workers have taken. It is also the index of the next request.
        var begun = 0
        /// The ticket of the list in the queue `turns`; nil if workers have taken all requests of the list.
        var ticket: Int?
        /// The tasks in progress, by the index of their request in the list.
        var tasks: [Int: ImageTask] = [:]
    }

    private struct State {
        var priority: Priority
        weak var delegate: (any ImagePrefetcherDelegate)?
        var isPaused = false
        /// The lists that have not ended.
        var lists: [ObjectIdentifier: List] = [:]
        /// The queue of the lists that have requests for workers to take. A list goes to the end after each request.
        var turns = PriorityQueue<PrefetchToken>()
        /// The number of requests, in all lists, that no worker has taken yet.
        var waitingCount = 0
        var workerCount = 0
        /// The sum of the counts of all lists since the prefetcher was last idle.
        var sum = PrefetchProgress(finished: 0, skipped: 0, total: 0)
        /// The final counts that the delegate has not received yet, one for each time that the prefetcher became idle.
        var ends: [PrefetchProgress] = []

        /// Removes a list. Returns nil if it was removed before.
        mutating func remove(_ token: PrefetchToken) -> List? {
            guard let list = lists.removeValue(forKey: ObjectIdentifier(token)) else { return nil }
            if let ticket = list.ticket { _ = turns.remove(ticket) }
            waitingCount -= list.progress.total - list.begun
            sum.total -= list.progress.remaining
            if lists.isEmpty {
                ends.append(sum)
                sum = PrefetchProgress(finished: 0, skipped: 0, total: 0)
            }
            return list
        }
    }

    /// The report about a request that has ended.
    private struct News {
        let delegate: (any ImagePrefetcherDelegate)?
        /// The final counts to report before this report, one for each time that the prefetcher became idle.
        let ends: [PrefetchProgress]
        let sum: PrefetchProgress
        let progress: PrefetchProgress
        let onProgress: (@Sendable (PrefetchProgress) -> Void)?
    }

    private let manager: ImageManager
    private let maxConcurrent: Int
    private let destination: CacheTiers
    private let teller = PrefetchTeller()
    private let state: Lock<State>

    init(
        manager: ImageManager, maxConcurrent: Int, priority: Priority, destination: CacheTiers,
        delegate: (any ImagePrefetcherDelegate)?
    ) {
        self.manager = manager
        self.maxConcurrent = maxConcurrent
        self.destination = destination
        state = Lock(State(priority: priority, delegate: delegate))
    }

    // MARK: Delegate and priority

    var delegate: (any ImagePrefetcherDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    var priority: Priority {
        get { state.withLock { $0.priority } }
        set {
            let tasks = state.withLock { state -> [ImageTask] in
                state.priority = newValue
                return state.lists.values.flatMap { Array($0.tasks.values) }
            }
            for task in tasks { updatePriority(of: task) }
        }
    }

    func start(
        count: Int, request: @escaping @Sendable (Int) -> ImageRequest,
        onProgress: (@Sendable (PrefetchProgress) -> Void)?
    ) -> PrefetchToken {
        guard count > 0 else { return PrefetchToken(total: 0, queue: nil) }
        let token = PrefetchToken(total: count, queue: self)
        state.withLock { state in
            let progress = PrefetchProgress(finished: 0, skipped: 0, total: count)
            var list = List(token: token, request: request, onProgress: onProgress, progress: progress)
            list.ticket = state.turns.add(token, priority: .normal)
            state.lists[ObjectIdentifier(token)] = list
            state.waitingCount += count
            state.sum.total += count
        }
        hire()
        return token
    }

    func pause() {
        state.withLock { $0.isPaused = true }
    }

    func resume() {
        state.withLock { $0.isPaused = false }
        hire()
    }

    func cancel(_ token: PrefetchToken) {
        guard let list = state.withLock({ $0.remove(token) }) else { return }
        end([list])
    }

    func cancelAll() {
        let lists = state.withLock { state -> [List] in
            var lists: [List] = []
            for token in state.lists.values.map(\.token) {
                if let list = state.remove(token) { lists.append(list) }
            }
            return lists
        }
        if !lists.isEmpty { end(lists) }
    }

    /// Cancels all lists without telling the delegate, which may be deinitialized at the same time as the prefetcher.
    func close() {
        delegate = nil
        cancelAll()
    }

    /// Ends lists that were removed from the state: announces their end, and cancels their tasks.
    private func end(_ lists: [List]) {
        for list in lists {
            list.token.announce(list.progress, isLast: true)
            for task in list.tasks.values { task.cancel() }
        }
        teller.tellLater { [self] in tellEnds() }
    }

    // MARK: Workers

    /// Starts workers for the waiting requests, up to the maximum number of workers.
    private func hire() {
        let count = state.withLock { state -> Int in
            guard !state.isPaused else { return 0 }
            let count = min(maxConcurrent - state.workerCount, state.waitingCount)
            state.workerCount += count
            return count
        }
        for _ in 0..<count { Task.detached { [self] in await work() } }
    }

    private func work() async {
        while let turn = nextTurn() {
            let request = turn.request(turn.index)
            let isFinished = await prefetch(request, turn)
            await teller.tell { self.tell(of: request, turn, isFinished: isFinished) }
        }
    }

    /// Returns the next request for a worker. If the result is nil, the worker is no longer counted and must end.
    private func nextTurn() -> Turn? {
        state.withLock { state -> Turn? in
            guard !state.isPaused, let token = state.turns.next(), var list = state.lists[ObjectIdentifier(token)]
            else {
                state.workerCount -= 1
                return nil
            }
            let turn = Turn(token: token, index: list.begun, request: list.request)
            list.begun += 1
            list.ticket = list.begun < list.progress.total ? state.turns.add(token, priority: .normal) : nil
            state.lists[ObjectIdentifier(token)] = list
            state.waitingCount -= 1
            return turn
        }
    }

    /// Runs a request to its end. Returns whether it succeeded.
    private func prefetch(_ request: ImageRequest, _ turn: Turn) async -> Bool {
        let context = ResolvedContext(layers: [(.manager, manager.context), (.request, request.context)])
        let priority = self.priority
        let wanted = request.with(settings(over: context, priority))
        if await isOnDisk(wanted, context) { return true }
        let task = manager.load(wanted)
        guard begin(task, turn) else {
            task.cancel()
            return false
        }
        defer { end(turn) }
        // Only if the prefetcher's priority has changed: until then, a priority set by an options processor applies.
        if self.priority != priority { updatePriority(of: task) }
        return (try? await task.response) != nil
    }

    /// Returns the settings to add to a request. They change neither its cache key nor its ``TransferID``.
    /// - Parameter context: The values in force, except for those that an options processor sets.
    private func settings(over context: ResolvedContext, _ priority: Priority) -> ImageContext {
        // Nothing uses previews or the bytes of a response.
        var settings: ImageContext = [.priority(priority), .off(.progressiveLoad), .off(.queryMemoryData)]
        settings.set(.storeCacheType(context[.storeCacheType].intersection(destination)))
        settings.set(.originalStoreCacheType(context[.originalStoreCacheType].intersection(destination)))
        if !destination.contains(.memory) {
            // A hit in memory would end the request without bringing anything to disk.
            settings.set(.queryCacheType(context[.queryCacheType].subtracting(.memory)))
        }
        return settings
    }

    /// Returns whether disk is the only destination and already has an image that the request may use.
    private func isOnDisk(_ request: ImageRequest, _ context: ResolvedContext) async -> Bool {
        guard destination == .disk, context[.queryCacheType].contains(.disk), !context[.fromLoaderOnly],
            !context[.refreshCached]
        else { return false }
        let tiers = try? await manager.contains(request, in: .disk)
        return tiers == .disk
    }

    /// Registers the task of a turn as being in progress. Returns false if the list of the turn has ended.
    private func begin(_ task: ImageTask, _ turn: Turn) -> Bool {
        state.withLock { state -> Bool in
            guard state.lists[ObjectIdentifier(turn.token)] != nil else { return false }
            state.lists[ObjectIdentifier(turn.token)]?.tasks[turn.index] = task
            return true
        }
    }

    private func end(_ turn: Turn) {
        // The task is returned, so that it is not released under the lock.
        _ = state.withLock { $0.lists[ObjectIdentifier(turn.token)]?.tasks.removeValue(forKey: turn.index) }
    }

    /// Gives a task the prefetcher's current priority, even if another thread changes a priority meanwhile.
    private func updatePriority(of task: ImageTask) {
        while true {
            let current = priority
            guard task.priority != current else { return }
            task.priority = current
        }
    }

    // MARK: Notifications

    /// Reports the end of a request, and perhaps of its list. Call this only on the queue of ``PrefetchTeller``.
    private func tell(of request: ImageRequest, _ turn: Turn, isFinished: Bool) {
        guard let news = count(turn, isFinished: isFinished) else { return }
        for end in news.ends { news.delegate?.didFinish(end) }
        news.delegate?.didPrefetch(request, progress: news.sum)
        // If the delegate has cancelled the list, nothing more is reported here; `end(_:)` has done the rest.
        guard state.withLock({ $0.lists[ObjectIdentifier(turn.token)] != nil }) else { return }
        news.onProgress?(news.progress)
        turn.token.announce(news.progress)
        guard news.progress.remaining == 0, let list = state.withLock({ $0.remove(turn.token) }) else { return }
        tellEnds()
        list.token.announce(list.progress, isLast: true)
    }

    /// Counts a request that has ended, and returns the report about it. Returns nil if its list has already ended.
    private func count(_ turn: Turn, isFinished: Bool) -> News? {
        state.withLock { state -> News? in
            guard var list = state.lists[ObjectIdentifier(turn.token)] else { return nil }
            list.progress.count(asFinished: isFinished)
            state.lists[ObjectIdentifier(turn.token)] = list
            state.sum.count(asFinished: isFinished)
            defer { state.ends = [] }
            return News(
                delegate: state.delegate, ends: state.ends, sum: state.sum, progress: list.progress,
                onProgress: list.onProgress)
        }
    }

    /// Reports to the delegate that the prefetcher became idle. Call this only on the queue of ``PrefetchTeller``.
    private func tellEnds() {
        let (ends, delegate) = state.withLock { state -> ([PrefetchProgress], (any ImagePrefetcherDelegate)?) in
            defer { state.ends = [] }
            return (state.ends, state.delegate)
        }
        for end in ends { delegate?.didFinish(end) }
    }
}
