#if PNG
/// A line of `info --json`.
struct InfoRecord: Decodable, Sendable {
    let source: String
    let format: String
    let mimeType: String
    let width: Int
    let height: Int
    let pixelWidth: Int
    let pixelHeight: Int
    let orientation: Int
    let hasAlpha: Bool
    let bitDepth: Int
    let colorModel: String
    let hasHighDynamicRange: Bool
    let hasICCProfile: Bool
    let colorSpace: String
    let frameCount: Int
    let loopCount: Int
    let durations: [Double]
    let byteCount: Int
}

extension Sandbox {
    /// Returns the tool's information on a file in the working directory.
    func info(_ name: String) async throws -> InfoRecord? {
        try await run("info", "--json", name).objects(InfoRecord.self).first
    }
}
#endif
