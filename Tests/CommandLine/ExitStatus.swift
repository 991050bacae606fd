#if PNG
import Testing

/// The exit code of a run, or the number of the signal that ended it. A failed expectation also prints the run's
/// standard error, which often is the only trace of a rare failure.
struct ExitStatus: Equatable, ExpressibleByIntegerLiteral, CustomTestStringConvertible, Sendable {
    let number: Int32
    private let errors: String

    init(_ number: Int32, errors: String) {
        self.number = number
        self.errors = errors
    }

    init(integerLiteral number: Int32) { self.init(number, errors: "") }

    static func == (one: ExitStatus, other: ExitStatus) -> Bool { one.number == other.number }

    var testDescription: String { errors.isEmpty ? "\(number)" : "\(number), after: \(errors)" }
}
#endif
