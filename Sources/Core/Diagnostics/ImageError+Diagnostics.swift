extension ImageError.Stage {
    /// The stage of events that concern a request as a whole. No ``ImageError`` has this stage.
    public static let request = ImageError.Stage(rawValue: "request")
    /// The stage of events that concern the delivery of events to listeners. No ``ImageError`` has this stage.
    public static let telling = ImageError.Stage(rawValue: "telling")

    /// The tier of the cache that steps of this stage read or write; nil for stages without a cache. Reads and writes
    /// of the memory tier are not steps.
    var tier: CacheTiers? { self == .query || self == .store ? .disk : nil }
}

// A dictionary whose keys are codes or stages is encoded with their names as keys.
extension ImageError.Code: Codable, CodingKeyRepresentable {}
extension ImageError.Stage: Codable, CodingKeyRepresentable {}
