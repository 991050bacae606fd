/// A value behind a pointer, for values that are large and seldom read. A box reduces the size of the values that
/// contain it, and of the stack frames of the `async` functions that pass these values on.
///
/// Copies share one box. Setting the value of a copy makes a new box.
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
