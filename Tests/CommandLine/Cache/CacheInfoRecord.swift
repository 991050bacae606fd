#if PNG
/// The line of `cache info --json`.
struct CacheInfoRecord: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        let source: String?
        let variant: String?
        let policy: String?
        let byteCount: Int
        let path: String
    }

    let directory: String
    let entryCount: Int
    let expiredCount: Int
    let byteCount: Int
    let byteLimit: Int?
    let oldestAge: Int?
    let newestAge: Int?
    let hits: Int
    let misses: Int
    let hitRatio: Double?
    let largest: [Item]
}
#endif
