extension ImageError.Stage {
    /// A request as a whole. Of events alone: no error has it.
    public static let request = ImageError.Stage(rawValue: "request")
}

// As keys of what is counted, which is written by name.
extension ImageError.Code: Codable, CodingKeyRepresentable {}
extension ImageError.Stage: Codable, CodingKeyRepresentable {}
