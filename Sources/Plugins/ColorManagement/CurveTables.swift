#if COLOR
/// The values of three curves, one after another. Curves that are the same object are listed once.
struct CurveTables<Value: Sendable>: Sendable {
    private(set) var values: [Value] = []
    /// For red, green and blue, the index of the first value.
    private(set) var starts: [Int] = []

    /// Lists the values of curves. Returns nil if `list` returns nil for a curve.
    init?(_ curves: [LittleCMSCurve], list: (LittleCMSCurve) -> [Value]?) {
        var known: [OpaquePointer: Int] = [:]
        for curve in curves {
            let start: Int
            if let place = known[curve.pointer] {
                start = place
            } else {
                guard let listed = list(curve) else { return nil }
                start = values.count
                values += listed
                known[curve.pointer] = start
            }
            starts.append(start)
        }
    }

    var byteCount: Int { values.count * MemoryLayout<Value>.stride }

    /// Calls `body` with the addresses of the first values for red, green and blue.
    func withPointers<Result>(
        _ body: ((UnsafePointer<Value>, UnsafePointer<Value>, UnsafePointer<Value>)) -> Result
    ) -> Result {
        values.withUnsafeBufferPointer { values in
            // There are always values, because curves have some.
            let first = values.baseAddress!
            return body((first + starts[0], first + starts[1], first + starts[2]))
        }
    }
}
#endif
