/// A value behind a pointer, for what is large and seldom looked at: whatever carries it from function to function, and
/// every frame of an `async` function that it passes through, is smaller by as much.
///
/// Setting makes a new box; copies share one.
struct Boxed<Value: Sendable>: Sendable {
    private indirect enum Box: Sendable { case value(Value) }

    private var box: Box

    init(_ value: Value) { box = .value(value) }

    var value: Value {
        get {
            switch box {
            case .value(let value): value
            }
        }
        set { box = .value(newValue) }
    }
}
