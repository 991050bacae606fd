/// The listeners of a request, from all layers, the farthest first.
struct Listeners: Sendable {
    private var all: [EventChannel] = []

    /// Whether there are no listeners: then nothing has to be made that could be told.
    var isEmpty: Bool { all.isEmpty }

    /// Creates an empty list.
    init() {}

    /// The listeners of contexts, given from the farthest to the nearest. One that says no silences those before it.
    /// - Parameter channels: Where the ways to them are found.
    init(_ contexts: [ImageContext], through channels: EventChannels) {
        for context in contexts {
            if let said = context.settings[ContextKey.eventListener.declaration] { add(said, through: channels) }
        }
    }

    /// Adds what a nearer layer says: a listener beside the others, unless it is one of them, or nobody at all.
    mutating func add(_ setting: ContextSetting, through channels: EventChannels) {
        guard let channel = channels.channel(of: setting) else {
            all = []
            return
        }
        if !all.contains(where: { $0 === channel }) { all.append(channel) }
    }

    /// Has all of them told, and waits for none.
    func tell(_ event: PipelineEvent) {
        for channel in all { channel.put(event) }
    }
}
