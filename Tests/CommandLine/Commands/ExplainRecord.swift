#if PNG
/// The line of `explain --json`.
struct ExplainRecord: Decodable, Sendable {
    struct Value: Decodable, Sendable {
        let key: String
        let value: String
        let layer: String
    }

    struct Copy: Decodable, Sendable {
        let cache: String
        let isOnDisk: Bool
        let byteCount: Int?
        let age: Int?
        let secondsLeft: Int?
    }

    let url: String
    let values: [Value]
    let sourceKey: String
    let loader: String?
    let passedLoaders: [String]
    let cachedIn: String
    let image: Copy?
    let original: Copy?
    let freshness: String?
    let failure: String?
    let retries: String
    let alternatives: [String]
}
#endif
