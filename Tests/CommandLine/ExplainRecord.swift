#if PNG
/// The line of `explain --json`.
struct ExplainRecord: Decodable, Sendable {
    struct Value: Decodable, Sendable {
        let key: String
        let value: String
        let layer: String
    }

    let url: String
    let values: [Value]
    let sourceKey: String
    let loader: String?
    let cachedIn: String
}
#endif
