#if COLOR
/// The tags that Little CMS reads from a profile in a conversion, depending on the use of the profile.
///
/// Source: Little CMS 2.14 to 2.19, `cmsio1.c` for the tags of each intent and `cmssamp.c` for the darkest color.
struct ProfileReading {
    /// The uses of a profile.
    enum Use {
        case source
        /// The target profile, with the intent that the source profile determines.
        case target(ProfileIntent)
    }

    /// The rendering intent of the conversion.
    let intent: ProfileIntent
    /// The tags without which the conversion fails.
    private(set) var required: [ProfileSignature]
    /// Lists of optional tags, which only affect the darkest color. Little CMS reads the first valid tag of each list.
    private(set) var alternatives: [[ProfileSignature]] = []
    /// The tags whose presence affects the conversion, but whose contents are not read.
    private(set) var markers: [ProfileSignature] = []

    /// Selects the tags that Little CMS reads for a use of a profile.
    /// - Parameter tags: The signatures of the tags that the profile contains.
    init(_ use: Use, of tags: Set<ProfileSignature>, _ header: ProfileHeader) {
        let matrix = Self.matrix(of: header.colorSpace)
        let hasMatrix = !matrix.isEmpty && matrix.allSatisfy { tags.contains($0) }
        switch use {
        case .source:
            intent = tags.contains("A2B0") ? .perceptual : .relative
            if intent == .perceptual {
                required = ["A2B0"]
                // The black point of version 4 is fixed, unless there is also a matrix.
                guard header.isOfVersion4, hasMatrix else { return }
                alternatives = [["A2B1"]]
                markers = matrix
            } else {
                required = tags.contains("A2B1") ? ["A2B1"] : matrix
            }
        case .target(let intent):
            self.intent = intent
            let output: ProfileSignature = intent == .relative && tags.contains("B2A1") ? "B2A1" : "B2A0"
            let hasOutput = tags.contains(output)
            required = hasOutput ? [output] : matrix
            switch intent {
            case .perceptual where header.isOfVersion4: alternatives = hasMatrix ? [["A2B1", "A2B0"]] : []
            case .perceptual where !hasOutput: alternatives = [["A2B0"]]
            case .perceptual, .relative: alternatives = [["A2B1", "A2B0"]]
            }
            if hasOutput { alternatives += matrix.map { [$0] } }
        }
    }

    /// Returns the tags of the colorants and curves of a color space; none for color spaces that need tables.
    private static func matrix(of colorSpace: ProfileSignature) -> [ProfileSignature] {
        switch colorSpace {
        case .gray: ["kTRC"]
        case .rgb: ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
        default: []
        }
    }
}
#endif
