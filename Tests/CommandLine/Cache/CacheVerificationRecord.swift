#if PNG
/// The line of `cache verify --json`.
struct CacheVerificationRecord: Decodable, Sendable {
    struct Finding: Decodable, Sendable {
        let path: String
        let reason: String
        let isMended: Bool
    }

    let entryCount: Int
    let byteCount: Int
    let foreignCount: Int
    let leftoverCount: Int
    let findings: [Finding]
}
#endif
