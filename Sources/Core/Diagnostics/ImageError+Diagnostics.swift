extension ImageError.Stage {
    /// A request as a whole. Of events alone: no error has it.
    public static let request = ImageError.Stage(rawValue: "request")
    /// The telling of events. Of events alone: no error has it.
    public static let telling = ImageError.Stage(rawValue: "telling")

    /// The tier that steps of the stage ask or write to; nil for stages without one. Never memory, which is asked and
    /// written to in passing.
    var tier: CacheTiers? { self == .query || self == .store ? .disk : nil }
}

// As keys of what is counted, which is written by name.
extension ImageError.Code: Codable, CodingKeyRepresentable {}
extension ImageError.Stage: Codable, CodingKeyRepresentable {}
