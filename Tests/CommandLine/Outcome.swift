#if PNG
import Foundation

/// The exit status and the output of a run.
struct Outcome: Sendable {
    let status: ExitStatus
    let isSignal: Bool
    /// The bytes of standard output.
    let output: Data
    private let errorText: String

    init(status: Int32, isSignal: Bool, output: Data, errors: Data) {
        self.isSignal = isSignal
        self.output = output
        errorText = String(decoding: errors, as: UTF8.self)
        self.status = ExitStatus(status, errors: errorText)
    }

    var text: String { String(decoding: output, as: UTF8.self) }

    /// The lines of standard output.
    var lines: [String] { Self.lines(of: text) }

    /// The lines of standard error.
    var errors: [String] { Self.lines(of: errorText) }

    /// Returns the JSON objects of standard output, one for each line.
    func objects<Object: Decodable>(_ type: Object.Type = Object.self) throws -> [Object] {
        try lines.map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { String($0) }
    }
}
#endif
