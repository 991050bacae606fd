/// The listeners of a request from all layers of its context. Those of the farthest ``ContextLayer`` come first.
struct Listeners: Sendable {
    private var all: [EventChannel] = []

    /// Whether there are no listeners. If so, no events need to be made.
    var isEmpty: Bool { all.isEmpty }

    /// Creates an empty list.
    init() {}

    /// Creates the list of the listeners of contexts, given from the farthest to the nearest. A context that turns the
    /// listener off removes those of farther contexts.
    init(_ contexts: [ImageContext], through channels: EventChannels) {
        for context in contexts {
            if let said = context.settings[ContextKey.eventListener.declaration] { add(said, through: channels) }
        }
    }

    /// Adds the listener of a setting, unless the list already contains it. The setting `.off` removes all listeners.
    /// Settings of farther layers must be added first.
    mutating func add(_ setting: ContextSetting, through channels: EventChannels) {
        guard let channel = channels.channel(of: setting) else {
            all = []
            return
        }
        if !all.contains(where: { $0 === channel }) { all.append(channel) }
    }

    /// Sends an event to all listeners, without waiting for its delivery.
    func tell(_ event: PipelineEvent) {
        for channel in all { channel.put(event) }
    }
}
