/// A value behind a pointer, for values that are large and seldom read. Types that contain a boxed value stay small,
/// and so do the stack frames of `async` functions.
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
