/// The channels to the listeners of one manager. Thread-safe.
///
/// Requests with the same listener share a channel, so that the listener receives events in order, one at a time.
final class EventChannels: Sendable {
    private final class Entry {
        private(set) weak var channel: EventChannel?
        /// The identity of the channel, by which `remove` distinguishes it from a later channel with the same key.
        let id: ObjectIdentifier

        init(_ channel: EventChannel) {
            self.channel = channel
            id = ObjectIdentifier(channel)
        }
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// Returns the channel to the listener of a setting; nil if the setting has no listener.
    ///
    /// A listener that is an object has one channel. A listener that is a value has one channel for each setting, which
    /// the copies of the setting share.
    func channel(of setting: ContextSetting) -> EventChannel? {
        guard let said = setting.value as? (any EventListener)?, let listener = said else { return nil }
        let identity = setting.identity ?? SettingIdentity()
        let isObject = type(of: listener) is AnyClass
        let place = isObject ? ObjectIdentifier(listener as AnyObject) : ObjectIdentifier(identity)
        return entries.withLock { entries -> EventChannel in
            if let known = entries[place]?.channel { return known }
            let channel = EventChannel(listener, identity: identity, at: place, among: self)
            entries[place] = Entry(channel)
            return channel
        }
    }

    /// Removes a channel that is being released, unless another one has taken its place.
    func remove(_ id: ObjectIdentifier, at place: ObjectIdentifier) {
        entries.withLock { entries in
            if entries[place]?.id == id { entries[place] = nil }
        }
    }

    /// The number of channels in use: those that have events to deliver or may receive more.
    var count: Int { entries.withLock { $0.count } }

    /// Returns when all events added so far have been delivered, or when the surrounding task is cancelled.
    func waitForEvents() async {
        let channels = entries.withLock { $0.values.compactMap { $0.channel } }
        let marks = channels.map { (channel: $0, count: $0.eventCount) }
        for mark in marks { await mark.channel.waitForEvents(mark.count) }
    }
}
