#if COLOR
/// The tags of a profile that Little CMS reads in a conversion, by what the profile is used for.
///
/// Nothing is said of multi-process elements, which ``ProfileExtract`` leaves out. Source: `cmsio1.c` for the tags of
/// an intent, `cmssamp.c` for the darkest color, of Little CMS 2.14 to 2.19.
struct ProfileReading {
    /// The uses of a profile.
    enum Use {
        case source
        /// The profile to convert to; the source gives the intent.
        case target(ProfileIntent)
    }

    /// The intent of the conversion.
    let intent: ProfileIntent
    /// The tags that the conversion fails without.
    private(set) var required: [ProfileSignature]
    /// The tags that may be missing, which affect the darkest color alone. Of each list the first sound one is read.
    private(set) var alternatives: [[ProfileSignature]] = []
    /// The tags whose presence is looked at, and not their contents.
    private(set) var markers: [ProfileSignature] = []

    /// Chooses from the tags that a profile has.
    init(_ use: Use, of tags: Set<ProfileSignature>, _ header: ProfileHeader) {
        let matrix = Self.matrix(of: header.colorSpace)
        let hasMatrix = !matrix.isEmpty && matrix.allSatisfy { tags.contains($0) }
        switch use {
        case .source:
            intent = tags.contains("A2B0") ? .perceptual : .relative
            if intent == .perceptual {
                required = ["A2B0"]
                // The black of the fourth version is fixed, unless there is a matrix too.
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

    /// The tags of colorants and curves.
    private static func matrix(of colorSpace: ProfileSignature) -> [ProfileSignature] {
        switch colorSpace {
        case .gray: ["kTRC"]
        case .rgb: ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
        default: []
        }
    }
}
#endif
