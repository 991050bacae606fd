#if HTTP
import CCurlShim
import Calotype
import Synchronization

/// The way into the thread that the transfers run on, from any other.
///
/// The thread takes what is posted here before it waits for its sockets, and is woken for it when it waits already. It
/// holds this object and nothing of the loader, whose going makes it end.
final class CurlEngine: Sendable {
    /// A command for the thread.
    enum Command: Sendable {
        /// Put it in line.
        case add(CurlTransfer)
        /// End it: nobody wants it. One that is not there, or not any more, is passed over.
        case cancel(CurlTransfer)
        /// Go on with it: there is room for bytes again.
        case resume(CurlTransfer)
        /// Follow the redirect that its reader has approved: the one to this address and no other.
        case follow(CurlTransfer, to: HTTPAddress)
        /// Give its place to others: it has ended, and now its reader has taken all of it.
        case leave(CurlTransfer)
        /// See how urgent it is now, if it still waits.
        case prioritize(CurlTransfer)
    }

    private struct State {
        var commands: [Command] = []
        /// The thread's, for waking it; nil if there is no thread.
        var multi: UnsafeMutableRawPointer?
        /// Whether the thread waits for its sockets, or is about to, and so has to be woken.
        var isAsleep = false
        /// The number of transfers that were under way when it fell asleep.
        var activeCount = 0
        /// Whether no transfer in line could begin then, in whatever order.
        var isFull = false
        var isStopped = false

        /// Whether a command can wait until a transfer ends, which wakes the thread by itself: none begins before.
        func canWait(_ command: Command) -> Bool {
            switch command {
            case .add(let transfer): transfer.limits.total <= activeCount
            case .prioritize: isFull
            case .cancel, .resume, .follow, .leave: false
            }
        }
    }

    let configuration: CurlImageLoader.Configuration

    /// The number of bytes of ended transfers that may be left with their readers before further ones keep their
    /// places. Readers come a little late as a rule, and no transfer is to wait for that; but those that are held up
    /// must not fill the memory.
    static let leftoverLimit = 4 << 20
    /// The number of these bytes, without those of transfers that keep their places. Becomes more on the thread of the
    /// transfers alone.
    private let leftoverByteCount = Atomic(0)
    /// The room for bodies that arrive.
    let bodies = BodyBudget()
    private let state = Lock(State())

    /// Once for each process, as libcurl wants it.
    private static let isLibraryReady: Bool = {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else { return false }
        ProcessExit.prepare()
        return true
    }()

    init(_ configuration: CurlImageLoader.Configuration) {
        self.configuration = configuration
    }

    /// Puts a transfer in line; the first one starts the thread. Throws `outOfMemory` and `outOfThreads`.
    func add(_ transfer: CurlTransfer) throws(ImageError) {
        guard Self.isLibraryReady else { throw .noMemoryForCurl }
        try state.withLock { (state: inout State) throws(ImageError) -> Void in
            if state.multi == nil { try startThread(&state) }
            Self.post(.add(transfer), to: &state)
        }
    }

    /// Starts the thread, under the lock: it waits there until the first transfer is in line, and no transfer is put in
    /// line for a thread that the system does not make.
    private func startThread(_ state: inout State) throws(ImageError) {
        guard let multi = curl_multi_init() else { throw .noMemoryForCurl }
        // One that was made while there were no descriptors left could never be woken.
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

    /// Tells the thread what to do; nothing where there is none.
    func post(_ command: Command) {
        state.withLock { Self.post(command, to: &$0) }
    }

    /// Counts bytes of a transfer that has ended, until `forgetLeftover`; false when there are too many already. To be
    /// called on the thread.
    func countLeftover(_ byteCount: Int) -> Bool {
        guard leftoverByteCount.load(ordering: .relaxed) + byteCount <= Self.leftoverLimit else { return false }
        leftoverByteCount.add(byteCount, ordering: .relaxed)
        return true
    }

    /// Forgets the bytes of such a transfer, whose reader has taken the end or does not want it.
    func forgetLeftover(_ byteCount: Int) {
        leftoverByteCount.subtract(byteCount, ordering: .relaxed)
    }

    /// Ends the thread, and with it what is still under way.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            Self.wake(&state)
        }
    }

    /// Has the thread see what there is to do, if it waits.
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

/// The thread's side.
extension CurlEngine {
    /// The multi handle of the thread's libcurl. There is one before the thread begins.
    var multi: UnsafeMutableRawPointer {
        state.withLock { $0.multi! }
    }

    /// Returns the commands posted since the last call; nil if the thread is to end.
    func nextCommands() -> [Command]? {
        if ProcessExit.hasBegun { ProcessExit.rest(self) }
        return state.withLock { state in
            state.isAsleep = false
            guard !state.isStopped else { return nil }
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Announces that the thread is going to wait. Returns false if there is work instead.
    /// - Parameters:
    ///   - activeCount: The number of transfers under way.
    ///   - isFull: Whether no transfer in line can begin before another ends, in whatever order.
    func fallAsleep(activeCount: Int, isFull: Bool) -> Bool {
        state.withLock { state in
            (state.activeCount, state.isFull) = (activeCount, isFull)
            state.isAsleep = state.commands.isEmpty && !state.isStopped && !ProcessExit.hasBegun
            return state.isAsleep
        }
    }

    /// Announces the end of the thread: from here on nothing wakes it.
    func retire() {
        let left = state.withLock { state in
            defer { state.commands = [] }
            state.multi = nil
            return state.commands
        }
        // They go here and not under the lock; kept, they would keep transfers that keep this object.
        withExtendedLifetime(left) {}
    }
}
#endif
