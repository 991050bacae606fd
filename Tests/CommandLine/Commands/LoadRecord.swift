#if PNG
/// A line of `load --json`.
struct LoadRecord: Decodable, Sendable {
    let source: String
    let format: String
    let originalWidth: Int
    let originalHeight: Int
    let width: Int
    let height: Int
    let from: String
    let milliseconds: [String: Double]
    let totalMilliseconds: Double
    let output: String?
}
#endif
