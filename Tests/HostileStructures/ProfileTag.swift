import CalotypeTesting

/// Makes the contents of an ICC profile's tags.
enum ProfileTag {
    /// Returns contents of a type that the tag may have; rarely of any other type.
    static func body(
        for name: [UInt8], _ space: HostileProfile.Space, _ random: inout SplitMix64
    ) -> [UInt8] {
        guard !random.isOneIn(40) else { return anything(space, &random) }
        let channelCount = space.channelCount
        switch String(decoding: name, as: UTF8.self) {
        case "wtpt", "bkpt", "lumi", "rXYZ", "gXYZ", "bXYZ": return xyz(&random)
        case "rTRC", "gTRC", "bTRC", "kTRC": return curve(&random)
        case "chad": return adaptation(&random)
        case "A2B0", "A2B1", "A2B2", "gamt": return table(from: channelCount, to: 3, "mAB ", &random)
        case "B2A0", "B2A1", "B2A2": return table(from: 3, to: channelCount, "mBA ", &random)
        case let name where name.hasPrefix("D2B"): return ProfileElements.body(from: channelCount, to: 3, &random)
        case let name where name.hasPrefix("B2D"): return ProfileElements.body(from: 3, to: channelCount, &random)
        default: return anything(space, &random)
        }
    }

    /// Returns contents of any type in the specification.
    private static func anything(_ space: HostileProfile.Space, _ random: inout SplitMix64) -> [UInt8] {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: return xyz(&random)
        case 1: return curve(&random)
        case 2: return adaptation(&random)
        case 3: return table(from: space.channelCount, to: 3, "mAB ", &random)
        case 4: return ProfileElements.body(from: space.channelCount, to: 3, &random)
        default: return list(&random)
        }
    }

    /// Returns a type that consists of a count and records: localized texts, named colors, sequences, dictionaries.
    private static func list(_ random: inout SplitMix64) -> [UInt8] {
        let types = [
            "mluc", "desc", "text", "ncl2", "pseq", "psid", "dict", "vcgt", "view", "meas", "clrt", "clro", "data",
            "dtim", "sig ", "ui08", "ui16", "ui32", "ui64", "uf32", "rcs2", "bfd ", "crdi", "scrn", "dscm", "cicp",
        ]
        var bytes = HostileBytes()
        bytes.append(Array((types.randomElement(using: &random) ?? "mluc").utf8))
        bytes.append(zeros: 4)
        bytes.append(random.absurdCount(), byteCount: 4)
        bytes.append([0, 1, 12, 16, 32].randomElement(using: &random) ?? 12, byteCount: 4)
        for _ in 0..<random.elementCount(most: 3_000) {
            bytes.append("enUS")
            bytes.append(random.absurdCount(), byteCount: 4)
            bytes.append(28, byteCount: 4)
        }
        return bytes.bytes
    }

    private static func xyz(_ random: inout SplitMix64) -> [UInt8] {
        var bytes = HostileBytes()
        bytes.append("XYZ ")
        bytes.append(zeros: 4)
        for number in [0x6FA2, 0x38F5, 0x0390] {
            bytes.append(random.isOneIn(10) ? random.absurdCount() : number, byteCount: 4)
        }
        if random.isOneIn(20) { bytes.append(zeros: 12 * random.elementCount(most: 20_000)) }
        return bytes.bytes
    }

    private static func adaptation(_ random: inout SplitMix64) -> [UInt8] {
        var bytes = HostileBytes()
        bytes.append("sf32")
        bytes.append(zeros: 4)
        for _ in 0..<([0, 1, 8, 9, 9, 9, 9, 10, 40_000].randomElement(using: &random) ?? 9) {
            bytes.append(random.isOneIn(3) ? random.absurdCount() : 0x10000, byteCount: 4)
        }
        return bytes.bytes
    }

    /// Returns a tabulated or parametric curve.
    static func curve(_ random: inout SplitMix64) -> [UInt8] {
        var bytes = HostileBytes()
        if Bool.random(using: &random) {
            bytes.append("curv")
            bytes.append(zeros: 4)
            let count = [0, 1, 2, 3, 256, 1_024, 4_096, 32_767, 32_768].randomElement(using: &random) ?? 2
            bytes.append(random.isOneIn(20) ? random.absurdCount() : count, byteCount: 4)
            // A non-monotonic curve, so that inverting it requires a search through all of it.
            let isWild = random.isOneIn(3)
            for index in 0..<count {
                bytes.append(isWild ? index * 40_503 : index * 65_535 / max(1, count - 1), byteCount: 2)
            }
        } else {
            bytes.append("para")
            bytes.append(zeros: 4)
            let function = Int.random(in: 0...4, using: &random)
            bytes.append(random.isOneIn(20) ? random.absurdCount() : function, byteCount: 2)
            bytes.append(zeros: 2)
            for _ in 0..<7 {
                let numbers = [0, 1, 0x8000, 0x10000, 0x24000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
                bytes.append(numbers.randomElement(using: &random) ?? 0, byteCount: 4)
            }
        }
        return bytes.bytes
    }

    /// Returns a table of one of three types.
    private static func table(
        from inputCount: Int, to outputCount: Int, _ type: StaticString, _ random: inout SplitMix64
    ) -> [UInt8] {
        let inputCount = random.isOneIn(25) ? Int.random(in: 0...16, using: &random) : inputCount
        let outputCount = random.isOneIn(25) ? Int.random(in: 0...16, using: &random) : outputCount
        // As large as fits into a profile of 4 MiB, or a few nodes.
        let sides = inputCount < 4 ? [0, 1, 2, 3, 9, 17, 33, 60, 69, 85, 110] : [0, 1, 2, 3, 9, 17, 23, 24, 27, 34]
        let side = sides.randomElement(using: &random) ?? 2
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return plainTable(8, side, from: inputCount, to: outputCount, &random)
        case 1: return plainTable(16, side, from: inputCount, to: outputCount, &random)
        default: return ProfileStages.body(type, side, from: inputCount, to: outputCount, &random)
        }
    }

    /// Returns a `lut8Type` or `lut16Type`.
    private static func plainTable(
        _ bits: Int, _ side: Int, from inputCount: Int, to outputCount: Int, _ random: inout SplitMix64
    ) -> [UInt8] {
        var bytes = HostileBytes()
        bytes.append(bits == 8 ? "mft1" : "mft2")
        bytes.append(zeros: 4)
        bytes.append(inputCount, byteCount: 1)
        bytes.append(outputCount, byteCount: 1)
        bytes.append(random.isOneIn(20) ? 255 : side, byteCount: 1)
        bytes.append(zeros: 1)
        for index in 0..<9 {
            bytes.append(random.isOneIn(10) ? random.absurdCount() : index % 4 == 0 ? 0x10000 : 0, byteCount: 4)
        }
        var curveCounts = (input: 256, output: 256)
        if bits == 16 {
            let counts = [0, 1, 2, 256, 4_096, 32_767, 65_535]
            curveCounts = (counts.randomElement(using: &random) ?? 2, counts.randomElement(using: &random) ?? 2)
            bytes.append(curveCounts.input, byteCount: 2)
            bytes.append(curveCounts.output, byteCount: 2)
        }
        let nodeCount = nodeCount(side, inputCount) * outputCount
        let numberCount = curveCounts.input * inputCount + nodeCount + curveCounts.output * outputCount
        bytes.append(noise: numberCount * bits / 8, &random)
        return bytes.bytes
    }

    /// Returns the number of nodes in a grid, limited to those that fit into a profile.
    static func nodeCount(_ side: Int, _ dimensionCount: Int) -> Int {
        (0..<dimensionCount).reduce(1) { count, _ in min(count * side, 1_400_000) }
    }
}

extension HostileBytes {
    /// Appends bytes that resemble numbers, quickly, since there can be millions. Appends at most 4 MiB, the maximum
    /// size of a profile (`maxProfileBytes`): larger tables exceed the limit on numbers and are refused unread.
    mutating func append(noise count: Int, _ random: inout SplitMix64) {
        let block = (0..<256).map { _ in UInt8.random(in: 0...255, using: &random) }
        let count = min(count, 4 << 20)
        reserveCapacity(self.count + count)
        for _ in 0..<(count / 256) { append(block) }
        append(Array(block.prefix(count % 256)))
    }
}
