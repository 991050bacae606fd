#if COLOR
import Calotype

/// The header of an ICC profile. Source: ICC.1:2022, section 7.2.
struct ProfileHeader {
    static let byteCount = 128

    /// The length of the profile in bytes, as stated in the header but limited to the number of available bytes.
    let profileByteCount: Int
    /// The color space of the device that the profile describes. The picture must have the same color space.
    let colorSpace: ProfileSignature
    /// Whether the profile has version 4 or later.
    let isOfVersion4: Bool

    // Old versions of Little CMS wrote zero as the class.
    private static let deviceClasses: Set<ProfileSignature> = [
        "scnr", "mntr", "prtr", "spac", ProfileSignature(rawValue: 0),
    ]
    private static let connectionSpaces: Set<ProfileSignature> = ["XYZ ", "Lab "]

    /// Reads the header. Throws `badData` if the header is damaged, or if the profile does not describe a device.
    init(_ profile: Data) throws(ImageError) {
        let bytes = ProfileBytes(profile, subject: "the header")
        guard try bytes.signature(at: 36) == "acsp" else {
            throw .unusableProfile("is damaged; it has no signature")
        }
        let deviceClass = try bytes.signature(at: 12)
        guard Self.deviceClasses.contains(deviceClass) else {
            throw .unusableProfile("has the class \(deviceClass), which does not describe a device")
        }
        let connectionSpace = try bytes.signature(at: 20)
        guard Self.connectionSpaces.contains(connectionSpace) else {
            throw .unusableProfile("is damaged; its connection space is \(connectionSpace)")
        }
        colorSpace = try bytes.signature(at: 16)
        isOfVersion4 = try bytes.number(at: 8, byteCount: 1) >= 4
        profileByteCount = min(try bytes.number(at: 0, byteCount: 4), bytes.count)
    }
}
#endif
