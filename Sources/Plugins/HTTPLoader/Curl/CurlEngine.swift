#if HTTP
import CCurlShim
import Calotype
import Synchronization

/// The thread-safe interface to the thread that runs the transfers of a loader. The thread retains this object but not
/// the loader, so that releasing the loader ends the thread.
final class CurlEngine: Sendable {
    /// A command for the transfer thread.
    enum Command: Sendable {
        /// Adds a transfer to the queue.
        case add(CurlTransfer)
        /// Ends a transfer that is no longer wanted. Does nothing if the transfer has already ended.
        case cancel(CurlTransfer)
        /// Resumes a paused transfer after its reader has taken bytes.
        case resume(CurlTransfer)
        /// Follows an approved redirect. Does nothing if the transfer does not wait for the approval of this redirect.
        case follow(CurlTransfer, to: HTTPAddress)
        /// Stops counting an ended transfer as in progress. Posted after its reader has finished or was cancelled.
        case leave(CurlTransfer)
        /// Applies the changed priority of a waiting transfer to the queue.
        case prioritize(CurlTransfer)
    }

    private struct State {
        var commands: [Command] = []
        /// libcurl's multi handle, which is used to wake the thread; nil if there is no thread.
        var multi: UnsafeMutableRawPointer?
        /// Whether the thread waits for its sockets or is about to. A command must then wake it.
        var isAsleep = false
        /// The number of transfers in progress when the thread last began to wait.
        var activeCount = 0
        /// Whether no waiting transfer could begin when the thread last began to wait.
        var isFull = false
        var isStopped = false

        /// Returns whether a command can wait until a transfer ends. The end of a transfer wakes the thread.
        func canWait(_ command: Command) -> Bool {
            switch command {
            case .add(let transfer): transfer.limits.total <= activeCount
            case .prioritize: isFull
            case .cancel, .resume, .follow, .leave: false
            }
        }
    }

    let configuration: CurlImageLoader.Configuration

    /// The maximum number of unread bytes of ended transfers, in total: 4 MiB.
    ///
    /// An ended transfer usually lets another one start before its own bytes are read. If its bytes would bring the
    /// total above this limit, the transfer counts as in progress until they are read, so that slow readers cannot fill
    /// the memory.
    static let leftoverLimit = 4 << 20
    /// The number of unread bytes of ended transfers that no longer count as in progress. Only the transfer thread
    /// increases it.
    private let leftoverByteCount = Atomic(0)
    /// The memory budget for the bodies of all loads in progress.
    let bodies = BodyBudget()
    private let state = Lock(State())

    /// Whether libcurl was initialized successfully. It is initialized once in each process, on first use.
    private static let isLibraryReady: Bool = {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return false }
        ProcessExit.prepare()
        return true
    }()

    init(_ configuration: CurlImageLoader.Configuration) {
        self.configuration = configuration
    }

    /// Adds a transfer to the queue. The first transfer starts the thread. Throws `outOfThreads`, `outOfMemory`, and
    /// `loadFailed` if no file descriptor is left.
    func add(_ transfer: CurlTransfer) throws(ImageError) {
        guard Self.isLibraryReady else { throw .noMemoryForCurl }
        try state.withLock { (state: inout State) throws(ImageError) -> Void in
            if state.multi == nil { try startThread(&state) }
            Self.post(.add(transfer), to: &state)
        }
    }

    /// Starts the thread. Call this while holding the lock.
    private func startThread(_ state: inout State) throws(ImageError) {
        guard let multi = curl_multi_init() else { throw .noMemoryForCurl }
        // A multi handle that was created without free descriptors could never be woken.
        guard curl_multi_wakeup(multi) == CURLM_OK else {
            curl_multi_cleanup(multi)
            throw .noDescriptorForCurl
        }
        state.multi = multi
        ProcessExit.add(self)
        do throws(ImageError) {
            try DetachedThread.start(name: "ct-http") {
                ProcessExit.watchThread(of: self)
                CurlThread(self).run()
            }
        } catch {
            ProcessExit.remove(self)
            state.multi = nil
            curl_multi_cleanup(multi)
            throw error
        }
    }

    /// Posts a command to the thread. Does nothing if the thread does not run.
    func post(_ command: Command) {
        state.withLock { Self.post(command, to: &$0) }
    }

    /// Adds the unread bytes of an ended transfer to the total, until `forgetLeftover` is called. Returns false, and
    /// adds nothing, if the total would exceed the limit. Call this on the transfer thread.
    func countLeftover(_ byteCount: Int) -> Bool {
        guard leftoverByteCount.load(ordering: .relaxed) + byteCount <= Self.leftoverLimit else { return false }
        leftoverByteCount.add(byteCount, ordering: .relaxed)
        return true
    }

    /// Subtracts the bytes that `countLeftover` added. Call this after the reader has taken all data or was cancelled.
    func forgetLeftover(_ byteCount: Int) {
        leftoverByteCount.subtract(byteCount, ordering: .relaxed)
    }

    /// Ends the thread and all transfers in progress.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            Self.wake(&state)
        }
    }

    /// Wakes the thread if it waits for its sockets.
    func wake() {
        state.withLock { Self.wake(&$0) }
    }

    private static func post(_ command: Command, to state: inout State) {
        guard state.multi != nil, !state.isStopped else { return }
        state.commands.append(command)
        if !state.canWait(command) { wake(&state) }
    }

    private static func wake(_ state: inout State) {
        guard state.isAsleep else { return }
        state.isAsleep = false
        curl_multi_wakeup(state.multi)
    }
}

/// The interface for the transfer thread.
extension CurlEngine {
    /// The multi handle of the transfer thread. It exists before the thread begins.
    var multi: UnsafeMutableRawPointer {
        // Unchecked: only the transfer thread uses the handle outside the lock. Other threads call nothing but
        // `curl_multi_wakeup`, which libcurl permits on any thread, under the lock and until `retire` removes the
        // handle. The transfer thread frees the handle after that.
        state.withLockUnchecked { $0.multi! }
    }

    /// Returns the commands that were posted since the last call. Returns nil if the thread must end.
    func nextCommands() -> [Command]? {
        if ProcessExit.hasBegun { ProcessExit.rest(self) }
        return state.withLock { state in
            state.isAsleep = false
            guard !state.isStopped else { return nil }
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Announces that the thread is about to wait for its sockets. Returns false if the thread must not wait, because
    /// commands were posted or the thread must end.
    /// - Parameter isFull: Whether no waiting transfer, whatever its priority, can begin before another transfer ends.
    func fallAsleep(activeCount: Int, isFull: Bool) -> Bool {
        state.withLock { state in
            (state.activeCount, state.isFull) = (activeCount, isFull)
            state.isAsleep = state.commands.isEmpty && !state.isStopped && !ProcessExit.hasBegun
            return state.isAsleep
        }
    }

    /// Announces the end of the thread, and drops the commands that have not been processed.
    func retire() {
        let left = state.withLock { state in
            defer { state.commands = [] }
            state.multi = nil
            return state.commands
        }
        // The commands are released here, outside the lock. Keeping them would create a reference cycle with their
        // transfers.
        withExtendedLifetime(left) {}
    }
}
#endif
