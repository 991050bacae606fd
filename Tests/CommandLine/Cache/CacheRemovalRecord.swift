#if PNG
/// The line of `cache clear --json` and `cache trim --json`.
struct CacheRemovalRecord: Decodable, Sendable {
    let removedCount: Int
    let removedByteCount: Int
    let entryCount: Int
    let byteCount: Int
}
#endif
