/// Who hears of a request: the listeners of all layers, the farthest first.
struct Listeners: Sendable {
    private var all: [any EventListener] = []

    /// Whether nobody listens: then nothing has to be made that could be told.
    var isEmpty: Bool { all.isEmpty }

    /// The listeners of contexts, given from the farthest to the nearest. One that says no silences those before it.
    init(_ contexts: [ImageContext] = []) {
        for context in contexts {
            if let said = context[.eventListener] { add(said) }
        }
    }

    /// Adds what a nearer layer says: a listener beside the others, unless it is one of them, or nil for none at all.
    mutating func add(_ listener: (any EventListener)?) {
        guard let listener else {
            all = []
            return
        }
        guard !all.contains(where: { ($0 as AnyObject) === (listener as AnyObject) }) else { return }
        all.append(listener)
    }

    /// Tells all of them.
    func tell(_ event: PipelineEvent) {
        for listener in all { listener.received(event) }
    }
}
