import CalotypeTesting
public import Foundation

/// A well-formed but absurd ICC profile: elements that share an offset, overlapping tags, excessive counts, tables of
/// odd sizes, types in the wrong place. Source of the layouts: ICC.1:2022, sections 7 to 10.
public struct HostileProfile: Sendable {
    /// The color space of the pictures that the profile is for.
    public enum Space: String, Sendable, CaseIterable {
        case gray = "GRAY"
        case rgb = "RGB "
        case cmyk = "CMYK"

        var channelCount: Int {
            switch self {
            case .gray: 1
            case .rgb: 3
            case .cmyk: 4
            }
        }
    }

    public let space: Space
    public let data: Data

    /// Creates the profile of a seed, the same each time.
    public init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        space = Space.allCases.randomElement(using: &random) ?? .rgb
        data = Data(Self.profile(space, &random))
    }

    private static func profile(_ space: Space, _ random: inout SplitMix64) -> [UInt8] {
        var tags = names(space, &random).map { (name: $0, body: ProfileTag.body(for: $0, space, &random)) }
        // Many unknown tags before those that every reader uses.
        if random.isOneIn(20) {
            for number in 0..<Int.random(in: 1...120, using: &random) {
                tags.insert((Array("z\(number)  ".utf8.prefix(4)), [0, 0, 0, 0]), at: 0)
            }
        }
        var list = HostileBytes()
        list.append(random.isOneIn(30) ? random.absurdCount() : tags.count, byteCount: 4)
        var bodies = HostileBytes()
        bodies.reserveCapacity(tags.reduce(0) { $0 + $1.body.count + 3 })
        let start = 128 + 4 + 12 * tags.count
        var last = (start: start, count: 0)
        for (name, body) in tags {
            var place = (start: start + bodies.count, count: body.count)
            switch Int.random(in: 0..<30, using: &random) {
            case 0: place = last
            case 1: place.start = last.start + Int.random(in: 0...8, using: &random)
            case 2: place.count = random.absurdCount()
            case 3: place.start = random.absurdCount()
            default:
                bodies.append(body)
                bodies.align()
            }
            list.append(name)
            list.append(place.start, byteCount: 4)
            list.append(place.count, byteCount: 4)
            last = place
        }
        var profile = HostileBytes()
        profile.reserveCapacity(start + bodies.count)
        profile.append(header(space, byteCount: start + bodies.count, &random))
        profile.append(list.bytes)
        profile.append(bodies.bytes)
        return profile.bytes
    }

    /// Returns the names of a device profile's tags, and of others.
    private static func names(_ space: Space, _ random: inout SplitMix64) -> [[UInt8]] {
        var names = ["wtpt"]
        switch Int.random(in: 0..<3, using: &random) {
        case 0: names += space == .gray ? ["kTRC"] : ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
        case 1: names += ["A2B0", "B2A0"]
        default: names += ["A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2"]
        }
        if random.isOneIn(3) { names += ["D2B0", "B2D0"] }
        if random.isOneIn(8) { names += ["D2B1", "D2B2", "D2B3", "B2D1", "B2D2", "B2D3"] }
        if random.isOneIn(4) { names.append("chad") }
        if random.isOneIn(4) { names += ["desc", "cprt", "dmnd", "dmdd", "vued"] }
        if random.isOneIn(8) { names += ["clrt", "clot", "ncl2", "pseq", "psid", "meta", "vcgt", "view", "gamt"] }
        if random.isOneIn(16) { names += ["bkpt", "lumi", "tech", "ciis", "targ", "rig0", "cicp", "bfd ", "scrd"] }
        if random.isOneIn(20) { names.append(names.randomElement(using: &random) ?? "wtpt") }
        if random.isOneIn(10) { names.shuffle(using: &random) }
        return names.map { Array($0.utf8) }
    }

    private static func header(_ space: Space, byteCount: Int, _ random: inout SplitMix64) -> [UInt8] {
        var header = HostileBytes()
        header.append(random.isOneIn(20) ? random.absurdCount() : byteCount, byteCount: 4)
        header.append(zeros: 4)
        header.append([2, 4, 4, 4, 5, 255].randomElement(using: &random) ?? 4, byteCount: 1)
        header.append(zeros: 3)
        let classes = ["mntr", "scnr", "prtr", "spac"]
        let others = ["link", "abst", "nmcl", "xxxx"]
        header.append(Array(((random.isOneIn(15) ? others : classes).randomElement(using: &random) ?? "mntr").utf8))
        header.append(Array((random.isOneIn(40) ? "8CLR" : space.rawValue).utf8))
        header.append(Array((["XYZ ", "Lab ", "Lab "].randomElement(using: &random) ?? "Lab ").utf8))
        header.append(zeros: 12)
        header.append("acsp")
        header.append(zeros: 24)
        header.append(random.isOneIn(20) ? random.absurdCount() : 0, byteCount: 4)
        for number in [0xF6D6, 0x10000, 0xD32D] { header.append(number, byteCount: 4) }
        header.append(zeros: 128 - header.count)
        return header.bytes
    }
}
