/// The ways to the listeners of one manager, each found again for as long as anybody uses it.
///
/// So a listener is told in one order, by one thread at a time, whichever requests name it. Thread-safe.
final class EventChannels: Sendable {
    private final class Entry {
        private(set) weak var channel: EventChannel?
        /// The identity of the channel: another channel may have taken its place before this one has gone.
        let id: ObjectIdentifier

        init(_ channel: EventChannel) {
            self.channel = channel
            id = ObjectIdentifier(channel)
        }
    }

    private let entries = Lock<[ObjectIdentifier: Entry]>([:])

    /// The way to the listener of a setting; nil if the setting says that nobody is to listen.
    ///
    /// An object is known by itself, wherever it is set; a value by its setting and the copies of that.
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

    /// Takes a channel out that goes, unless another one is in its place.
    func remove(_ id: ObjectIdentifier, at place: ObjectIdentifier) {
        entries.withLock { entries in
            if entries[place]?.id == id { entries[place] = nil }
        }
    }

    /// The number of listeners that have events to deliver or may receive more.
    var count: Int { entries.withLock { $0.count } }

    /// Returns when all that has come by now was told, or when the surrounding task is cancelled.
    func waitForEvents() async {
        let channels = entries.withLock { $0.values.compactMap { $0.channel } }
        let marks = channels.map { (channel: $0, count: $0.eventCount) }
        for mark in marks { await mark.channel.waitForEvents(mark.count) }
    }
}
