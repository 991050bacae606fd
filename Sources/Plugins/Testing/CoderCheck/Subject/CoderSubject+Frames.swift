import Calotype

extension CoderSubject {
    /// Checks that frames are the same in any order and lie within the image, and that their number is correct.
    func checkFrames() throws {
        let decoder = try decoder()
        let info = try decoder.info
        try checkMissingFrames(of: decoder, info.frameCount)
        try checkPlaces(of: info)
        let frames = try (0..<info.frameCount).map { try self.decoder().probe(frame: $0).picture() }
        for (index, frame) in frames.enumerated() {
            let size = info.frames.isEmpty ? info.pixelSize : info.frames[index].region.size
            try expect(
                frame.size == size && frame.format == frames[0].format,
                "frame \(index) of \(size), in \(frames[0].format) as the first",
                but: "it is \(frame.size), in \(frame.format)",
                advice: "pass only the region of each frame, all in one format")
        }
        var random = SplitMix64(seed: UInt64(frames.count))
        let orders: [(name: String, frames: [Int])] = [
            ("in order", Array(frames.indices)), ("from the last to the first", Array(frames.indices.reversed())),
            ("shuffled", frames.indices.shuffled(using: &random)), ("twice", frames.indices.flatMap { [$0, $0] }),
        ]
        for order in orders { try check(order.frames, order.name, frames) }
        try checkAtOnce(orders.map { $0.frames }, frames)
    }

    private func checkMissingFrames(of decoder: any ImageDecoder, _ count: Int) throws(Breach) {
        for frame in [count, -1] {
            let outcome = decoder.probe(frame: frame)
            try expect(
                outcome.errorCode == .noSuchFrame, "the error `noSuchFrame` for frame \(frame) of \(count)",
                but: "it \(outcome.error.map { "threw '\($0)'" } ?? "returned a picture")",
                advice: "check the index against the number of frames first")
        }
    }

    private func checkPlaces(of info: ImageInfo) throws(Breach) {
        for (index, frame) in info.frames.enumerated() {
            try expect(
                frame.region.isInside(info.pixelSize), "frame \(index) within \(info.pixelSize)",
                but: "`info` has \(frame.region.size) at column \(frame.region.x) of row \(frame.region.y)",
                advice: "throw `badData` for a frame outside the canvas")
            try expect(
                frame.duration > .zero, "a positive duration", but: "frame \(index) has \(frame.duration)",
                advice: "use the duration that is usual for frames without one")
        }
    }

    /// Checks that one decoder yields the right frames if they are decoded in the given order.
    private func check(_ order: [Int], _ name: String, _ frames: [PixelBuffer]) throws {
        let decoder = try decoder()
        for index in order {
            guard let difference = try decoder.probe(frame: index).picture().difference(from: frames[index]) else {
                continue
            }
            throw Breach(
                expected: "the pixels of frame \(index) from a separate decoder",
                but: "they \(difference) when frames are requested \(name)",
                advice: "decode each frame independently, and do not compose frames: Core does")
        }
    }

    /// Checks that several decoders, which decode concurrently in different orders, yield the right frames.
    private func checkAtOnce(_ orders: [[Int]], _ frames: [PixelBuffer]) throws {
        let failure = Lock<(any Error)?>(nil)
        ThreadGroup.run(orders.count) { thread in
            do {
                try check(orders[thread], "by several threads at once", frames)
            } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
