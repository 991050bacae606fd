extension ImageError.Stage {
    /// The stage of events that concern a request as a whole. No ``ImageError`` has this stage.
    public static let request = ImageError.Stage(rawValue: "request")
    /// The stage of events that concern the delivery of events to listeners. No ``ImageError`` has this stage.
    public static let telling = ImageError.Stage(rawValue: "telling")

    /// The cache tier that steps of this stage read or write: the disk tier for `query` and `store`, and nil for all
    /// other stages. Reads and writes of the memory tier are not steps.
    var tier: CacheTiers? { self == .query || self == .store ? .disk : nil }
}

// A dictionary whose keys are codes or stages is encoded with their names as keys.
extension ImageError.Code: Codable, CodingKeyRepresentable {}
extension ImageError.Stage: Codable, CodingKeyRepresentable {}
