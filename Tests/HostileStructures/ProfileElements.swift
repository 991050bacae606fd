import CalotypeTesting

/// Makes `multiProcessElementsType` tags: lists of elements, which may all be the same one. Source: ICC.1:2022, section
/// 10.16.
enum ProfileElements {
    static func body(from inputCount: Int, to outputCount: Int, _ random: inout SplitMix64) -> [UInt8] {
        let channelCount = random.isOneIn(3) ? Int.random(in: 1...15, using: &random) : inputCount
        let kinds = ["matf", "cvst", "clut", "bACS", "eACS", "xxxx"]
        let elements = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            element(kinds.randomElement(using: &random) ?? "matf", from: channelCount, to: outputCount, &random)
        }
        // Thousands of elements that share a few offsets: kilobytes that expand to gigabytes.
        let count = [1, 2, 3, 1_200, 20_000, 60_000].randomElement(using: &random) ?? 1
        var bytes = HostileBytes()
        bytes.append("mpet")
        bytes.append(zeros: 4)
        bytes.append(inputCount, byteCount: 2)
        bytes.append(outputCount, byteCount: 2)
        bytes.append(random.isOneIn(20) ? random.absurdCount() : count, byteCount: 4)
        let start = 16 + 8 * count
        var places: [(start: Int, count: Int)] = []
        var end = start
        for element in elements {
            places.append((end, element.count))
            end += element.count
        }
        for index in 0..<count {
            let place = places[index % places.count]
            bytes.append(place.start, byteCount: 4)
            bytes.append(place.count, byteCount: 4)
        }
        for element in elements { bytes.append(element) }
        return bytes.bytes
    }

    private static func element(
        _ kind: String, from inputCount: Int, to outputCount: Int, _ random: inout SplitMix64
    ) -> [UInt8] {
        var bytes = HostileBytes()
        bytes.append(Array(kind.utf8))
        bytes.append(zeros: 4)
        bytes.append(inputCount, byteCount: 2)
        bytes.append(outputCount, byteCount: 2)
        switch kind {
        case "matf": bytes.append(zeros: 4 * (inputCount + 1) * outputCount)
        case "clut":
            let side = (inputCount < 4 ? [2, 9, 33, 40] : [1, 2, 2, 3]).randomElement(using: &random) ?? 2
            bytes.append(Array(repeating: UInt8(side), count: 16))
            bytes.append(zeros: 4 * ProfileTag.nodeCount(side, inputCount) * outputCount)
        case "cvst":
            // All curves share one offset, with many segments.
            let count = [1, 2, 100, 5_000].randomElement(using: &random) ?? 1
            let start = 12 + 8 * inputCount
            for _ in 0..<inputCount {
                bytes.append(start, byteCount: 4)
                bytes.append(12 + 28 * count, byteCount: 4)
            }
            bytes.append("curf")
            bytes.append(zeros: 4)
            bytes.append(count, byteCount: 2)
            bytes.append(zeros: 2 + 4 * (count - 1))
            for _ in 0..<count {
                bytes.append(random.isOneIn(10) ? "samf" : "parf")
                bytes.append(zeros: 4)
                bytes.append(random.isOneIn(10) ? random.absurdCount() : 0, byteCount: 4)
                bytes.append(zeros: 16)
            }
        default: bytes.append(zeros: 8)
        }
        return bytes.bytes
    }
}
