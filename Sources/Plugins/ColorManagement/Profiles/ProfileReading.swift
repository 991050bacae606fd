#if COLOR
/// The tags that Little CMS reads from a profile in a conversion, depending on the use of the profile.
///
/// Multi-process elements are not included, because ``ProfileExtract`` omits them. Source: `cmsio1.c` for the tags of
/// an intent and `cmssamp.c` for the darkest color, in Little CMS 2.14 to 2.19.
struct ProfileReading {
    /// The uses of a profile.
    enum Use {
        case source
        /// The target profile; the source determines the intent.
        case target(ProfileIntent)
    }

    /// The intent of the conversion.
    let intent: ProfileIntent
    /// The tags without which the conversion fails.
    private(set) var required: [ProfileSignature]
    /// The optional tags, which only affect the darkest color. The first valid tag of each list is read.
    private(set) var alternatives: [[ProfileSignature]] = []
    /// The tags whose presence matters but whose contents are not read.
    private(set) var markers: [ProfileSignature] = []

    /// Selects from the tags of a profile.
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

    /// Returns the tags of colorants and curves.
    private static func matrix(of colorSpace: ProfileSignature) -> [ProfileSignature] {
        switch colorSpace {
        case .gray: ["kTRC"]
        case .rgb: ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
        default: []
        }
    }
}
#endif
