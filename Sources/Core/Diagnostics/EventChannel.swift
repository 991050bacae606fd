import Dispatch

/// The channel to one listener, which delivers events one at a time, in the order of their arrival. Thread-safe.
///
/// Each listener is called on its own queue. Adding an event waits for no listener and calls no client code, so events
/// may be added under a lock. At most ``limit`` events wait. Further events are lost, and the listener is told how
/// many. The channel and its listener are retained while there are events to deliver.
final class EventChannel: Sendable {
    private struct State {
        /// The events to deliver, the oldest first, except for those that the delivering thread has taken.
        var waiting: [PipelineEvent] = []
        /// The number of events to deliver, without reports of lost events. Events that the delivering thread has taken
        /// count until they are delivered.
        var keptCount = 0
        /// The number of events that were lost since the last event was added to `waiting`.
        var lostCount = 0
        /// The number of events that have been added.
        var count = 0
        /// The number of events that have been delivered, or whose loss has been reported.
        var toldCount = 0
        /// Whether a thread delivers events, or is about to.
        var isTelling = false
        /// The waiters, each with the number of events whose delivery it waits for.
        var waiters: [Int: (count: Int, turn: OneShot<Void>)] = [:]
        var nextTicket = 0

        /// Adds an event about lost events, in the place of the lost ones.
        mutating func noteLoss() {
            guard lostCount > 0 else { return }
            waiting.append(PipelineEvent(.lost(lostCount), stage: .telling, subject: ""))
            lostCount = 0
        }
    }

    /// The maximum number of events that wait for a listener.
    static let limit = 4096

    private let listener: any EventListener
    /// The identity of the listener's setting. It is retained, because its address may be the key of this channel in
    /// `channels`: no later setting must get the same address.
    private let identity: SettingIdentity
    /// The key of this channel in `channels`.
    private let place: ObjectIdentifier
    private let channels: EventChannels
    private let queue = DispatchQueue(label: "ct-events")
    private let state = Lock(State())

    /// Creates the channel to a listener.
    /// - Parameters:
    ///   - place: The key of this channel in `channels`.
    ///   - channels: The manager's channels, which include this one.
    init(
        _ listener: any EventListener, identity: SettingIdentity, at place: ObjectIdentifier,
        among channels: EventChannels
    ) {
        self.listener = listener
        self.identity = identity
        self.place = place
        self.channels = channels
    }

    deinit { channels.remove(ObjectIdentifier(self), at: place) }

    /// The number of events that have been added.
    var eventCount: Int { state.withLock { $0.count } }

    /// The number of tasks that wait for the delivery of events.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Adds an event, which is delivered in its turn, or is lost if too many events wait. Returns at once.
    func put(_ event: PipelineEvent) {
        let isFirst = state.withLock { state in
            state.count += 1
            if state.keptCount < Self.limit {
                state.noteLoss()
                state.waiting.append(event)
                state.keptCount += 1
            } else {
                state.lostCount += 1
            }
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if isFirst { queue.async { [self] in tellAll() } }
    }

    /// Waits until the first `count` events have been delivered or reported as lost, or until the task is cancelled.
    func waitForEvents(_ count: Int) async {
        let turn = OneShot<Void>()
        let ticket = state.withLock { state -> Int? in
            guard state.toldCount < count else { return nil }
            defer { state.nextTicket += 1 }
            state.waiters[state.nextTicket] = (count, turn)
            return state.nextTicket
        }
        guard let ticket else { return }
        await withTaskCancellationHandler {
            // The wait never fails.
            _ = try? await turn.value()
        } onCancel: {
            _ = state.withLock { $0.waiters.removeValue(forKey: ticket) }
            turn.resolve(.success(()))
        }
    }

    // MARK: On the queue

    private func tellAll() {
        while let events = take() {
            for event in events {
                listener.received(event)
                noteTold(event)
            }
        }
    }

    /// Removes and returns the events to deliver. Returns nil if there are none: the delivery then ends.
    private func take() -> [PipelineEvent]? {
        state.withLock { state -> [PipelineEvent]? in
            state.noteLoss()
            state.isTelling = !state.waiting.isEmpty
            guard state.isTelling else { return nil }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func noteTold(_ event: PipelineEvent) {
        let turns = state.withLock { state -> [OneShot<Void>] in
            if case .lost(let count) = event.kind {
                state.toldCount += count
            } else {
                state.toldCount += 1
                state.keptCount -= 1
            }
            guard !state.waiters.isEmpty else { return [] }
            let toldCount = state.toldCount
            let due = state.waiters.filter { $0.value.count <= toldCount }
            for ticket in due.keys { state.waiters[ticket] = nil }
            return due.values.map(\.turn)
        }
        for turn in turns { turn.resolve(.success(())) }
    }
}
