extension ImageError.Stage {
    /// The request as a whole. Only events have this stage; no ``ImageError`` does.
    public static let request = ImageError.Stage(rawValue: "request")
    /// The delivery of events. Only events have this stage; no ``ImageError`` does.
    public static let telling = ImageError.Stage(rawValue: "telling")

    /// The tier that steps of the stage read or write; nil for stages without one. Never memory, because reads and
    /// writes of memory are not steps.
    var tier: CacheTiers? { self == .query || self == .store ? .disk : nil }
}

// A dictionary whose keys are codes or stages is encoded with their names as keys.
extension ImageError.Code: Codable, CodingKeyRepresentable {}
extension ImageError.Stage: Codable, CodingKeyRepresentable {}
