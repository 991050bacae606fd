#if COLOR
import Calotype

/// The header of an ICC profile. Source: ICC.1:2022, section 7.2.
struct ProfileHeader {
    static let byteCount = 128

    /// The bytes of the profile as the header counts them, at most those that there are.
    let profileByteCount: Int
    /// The space of the picture's numbers.
    let colorSpace: ProfileSignature
    /// Whether the profile is of version 4, or of a later one.
    let isOfVersion4: Bool

    // Zero was written by old versions of Little CMS.
    private static let deviceClasses: Set<ProfileSignature> = [
        "scnr", "mntr", "prtr", "spac", ProfileSignature(rawValue: 0),
    ]
    private static let connectionSpaces: Set<ProfileSignature> = ["XYZ ", "Lab "]

    /// Reads the header. Throws `badData` when it is damaged, and for a profile that describes no device: a link
    /// between two devices, an effect, a list of named colors.
    init(_ profile: Data) throws(ImageError) {
        let bytes = ProfileBytes(profile, subject: "the header")
        guard try bytes.signature(at: 36) == "acsp" else {
            throw .unusableProfile("is damaged; it has no signature")
        }
        let deviceClass = try bytes.signature(at: 12)
        guard Self.deviceClasses.contains(deviceClass) else {
            throw .unusableProfile("is of the class \(deviceClass), which describes no device")
        }
        let connectionSpace = try bytes.signature(at: 20)
        guard Self.connectionSpaces.contains(connectionSpace) else {
            throw .unusableProfile("is damaged; it connects through \(connectionSpace)")
        }
        colorSpace = try bytes.signature(at: 16)
        isOfVersion4 = try bytes.number(at: 8, byteCount: 1) >= 4
        profileByteCount = min(try bytes.number(at: 0, byteCount: 4), bytes.count)
    }
}
#endif
