/// A value behind a pointer, for values that are large and seldom read. It reduces the size of the values that contain
/// it, and of the frames of `async` functions that they pass through.
///
/// Setting the value makes a new box; copies share one.
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
