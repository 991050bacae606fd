import Calotype

extension CoderSubject {
    /// Checks that every row and every plane is delivered completely, once and in order.
    func checkRows() throws {
        let decoder = try decoder()
        for frame in try checkedFrames(of: decoder.info) {
            let first = try picture(frame, of: decoder, filling: 0x5A)
            let second = try picture(frame, of: decoder, filling: 0xA5)
            if let difference = second.difference(from: first) {
                throw Breach(
                    expected: "the same pixels regardless of previous memory contents",
                    but: "those of frame \(frame) \(difference) when it is decoded again into other memory",
                    advice: "write every byte of every row, and keep no state between decodes")
            }
        }
        try checkPlanes()
    }

    /// Returns the indices of at most seven frames to check, including the first and the last.
    func checkedFrames(of info: ImageInfo) -> [Int] {
        let count = info.frameCount
        return Set(stride(from: 0, to: count, by: max(1, count / 4)) + [count - 1]).sorted()
    }

    private func picture(_ frame: Int, of decoder: any ImageDecoder, filling: UInt8) throws -> PixelBuffer {
        var behavior = ProbeBehavior()
        behavior.filling = filling
        behavior.fillsWhole = coder is any TruthfulCoder
        return try decoder.probe(frame: frame, behavior).picture()
    }

    private func checkPlanes() throws {
        var behavior = ProbeBehavior()
        behavior.takesPlanes = true
        let outcome = try decoder().probe(behavior)
        try outcome.checkUse()
        if let error = outcome.error { throw error }
        guard outcome.offeredPlanes != nil else { return }
        try expect(
            outcome.hasAllPlanes, "all samples of all planes, as offered",
            but: "there are \(outcome.planes.map(\.count)) samples", advice: "throw `badData` if samples are missing")
        let again = try decoder().probe(behavior)
        try expect(
            again.offeredPlanes == outcome.offeredPlanes && again.planes == outcome.planes,
            "the same planes twice", but: "they differ when they are decoded again",
            advice: "look for memory that is read before it is written")
    }
}
