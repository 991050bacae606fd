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
                    expected: "the same pixels whatever was in memory",
                    but: "those of frame \(frame) \(difference), when it is decoded again into other memory",
                    advice: "write every byte of every row, and decode twice with one decoder as with two")
            }
        }
        try checkPlanes()
    }

    /// Returns the frames to check: all, or some including the first and the last if there are many.
    func checkedFrames(of info: ImageInfo) -> [Int] {
        let count = info.frameCount
        return Set(stride(from: 0, to: count, by: max(1, count / 4)) + [count - 1]).sorted()
    }

    private func picture(_ frame: Int, of decoder: any ImageDecoder, filling: UInt8) throws -> PixelBuffer {
        var behaviour = ProbeBehaviour()
        behaviour.filling = filling
        behaviour.fillsWhole = coder is any TruthfulCoder
        return try decoder.probe(frame: frame, behaviour).picture()
    }

    private func checkPlanes() throws {
        var behaviour = ProbeBehaviour()
        behaviour.takesPlanes = true
        let outcome = try decoder().probe(behaviour)
        try outcome.checkUse()
        if let error = outcome.error { throw error }
        guard outcome.offeredPlanes != nil else { return }
        try expect(
            outcome.hasAllPlanes, "all samples of all planes, as offered",
            but: "there are \(outcome.planes.map(\.count)) of them", advice: "throw `badData` where some are missing")
        let again = try decoder().probe(behaviour)
        try expect(
            again.offeredPlanes == outcome.offeredPlanes && again.planes == outcome.planes,
            "the same planes twice", but: "they differ when they are decoded again",
            advice: "look for what is read and was never written")
    }
}
