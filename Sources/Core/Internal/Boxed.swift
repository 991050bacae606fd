/// A value behind a pointer, for values that are large and seldom read. It keeps the values that contain it small, and
/// also the stack frames of `async` functions.
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
