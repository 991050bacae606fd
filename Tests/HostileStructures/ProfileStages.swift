import CalotypeTesting

/// Makes `lutAToBType` and `lutBToAType` elements, whose parts are located by offsets. Source: ICC.1:2022, sections
/// 10.12 and 10.13.
enum ProfileStages {
    static func body(
        _ type: StaticString, _ side: Int, from inputCount: Int, to outputCount: Int, _ random: inout SplitMix64
    ) -> [UInt8] {
        var parts = HostileBytes()
        var offsets: [Int] = []
        // B curves, matrix, M curves, table, A curves.
        for part in 0..<5 {
            guard !random.isOneIn(4) else {
                offsets.append(0)
                continue
            }
            switch Int.random(in: 0..<12, using: &random) {
            case 0: offsets.append(random.absurdCount())
            case 1: offsets.append(offsets.last ?? 32)
            default:
                offsets.append(32 + parts.count)
                switch part {
                case 1: parts.append(noise: 48, &random)
                case 3:
                    parts.append(Array(repeating: UInt8(side), count: 16))
                    let width = Int.random(in: random.isOneIn(10) ? 0...255 : 1...2, using: &random)
                    parts.append(width, byteCount: 1)
                    parts.append(zeros: 3)
                    parts.append(noise: ProfileTag.nodeCount(side, inputCount) * outputCount * min(width, 2), &random)
                default:
                    for _ in 0..<max(inputCount, outputCount) {
                        parts.append(ProfileTag.curve(&random))
                        parts.align()
                    }
                }
                parts.align()
            }
        }
        var bytes = HostileBytes()
        bytes.append(type)
        bytes.append(zeros: 4)
        bytes.append(inputCount, byteCount: 1)
        bytes.append(outputCount, byteCount: 1)
        bytes.append(zeros: 2)
        for offset in offsets { bytes.append(offset, byteCount: 4) }
        bytes.append(parts.bytes)
        return bytes.bytes
    }
}
