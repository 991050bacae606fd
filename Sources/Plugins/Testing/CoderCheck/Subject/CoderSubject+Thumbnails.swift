import Calotype

extension CoderSubject {
    /// The maximum difference between the mean values of a channel, 0 to 1, in a thumbnail and in the whole image.
    private static let meanTolerance = 4.0 / 255

    /// Returns the thumbnails to request: boxes of three sizes, each with and without preserving the aspect ratio.
    private func wishes(for size: PixelSize) -> [(box: PixelSize, keepsShape: Bool)] {
        let half = PixelSize(max(1, size.width / 2), max(1, size.height / 2))
        return [PixelSize(50, 50), half, PixelSize(1, 1)].flatMap { box in
            [(box: box, keepsShape: true), (box: box, keepsShape: false)]
        }
    }

    private static func context(_ box: PixelSize, keepsShape: Bool) -> ImageContext {
        [.thumbnailPixelSize(box.width, box.height), .preservesAspectRatio(keepsShape)]
    }

    /// Checks that an image decoded at a reduced size is at least as large as requested and at most as large as stored.
    func checkReducedDecoding() throws {
        let info = try decoder().info
        for (box, keepsShape) in wishes(for: info.size) {
            let context = Self.context(box, keepsShape: keepsShape)
            let decoder = try decoder(of: nil, context)
            let told = try decoder.info
            try expect(
                told == info, "an `info` that does not depend on the thumbnail", but: "it is \(told) for \(box)",
                advice: "return the size of the file, regardless of the decoded size")
            let outcome = decoder.probe()
            var sizes = try [outcome.picture().size]
            if let planes = outcome.offeredPlanes { sizes.append(planes.size) }
            // The frames of an animation are resized after composition.
            let stored = info.frames.first?.region.size ?? info.pixelSize
            let target = info.frames.isEmpty ? Self.options(context).targetSize(of: info) : PixelSize(1, 1)
            for size in sizes {
                let isEnough = size.width >= target.width && size.height >= target.height
                let isWithin = size.width <= stored.width && size.height <= stored.height
                try expect(
                    isEnough && isWithin, "between \(target) and \(stored) for a thumbnail in \(box)",
                    but: "the decoder returns \(size)",
                    advice: "keep both sides at least as long as in `options.targetSize(of:)`")
            }
        }
    }

    /// Checks that thumbnails from the pipeline have the requested size and the colors of the image.
    func checkThumbnails() async throws {
        let manager = makeManager()
        let whole = try await manager.decode(sample.data).pixels
        let size = try await manager.info(of: sample.data).size
        for (box, keepsShape) in wishes(for: size) {
            let image = try await manager.decode(sample.data, context: Self.context(box, keepsShape: keepsShape))
            let stretched = PixelSize(min(box.width, size.width), min(box.height, size.height))
            let expected = keepsShape ? size.fitting(box) : stretched
            try expect(
                image.size == expected, "a thumbnail of \(expected) of \(size) in \(box)", but: "it is \(image.size)",
                advice: "check the announced layout, and the orientation in `info`")
            try checkColors(of: image.pixels, as: whole)
            guard let frames = image.frames else { continue }
            for index in Set([0, frames.frameCount - 1]).sorted() {
                let frame = try await CoderExamination.frame(index, of: frames)
                try expect(
                    frame.size == expected, "frames of \(expected) of \(size) in \(box)",
                    but: "frame \(index) is \(frame.size)", advice: "use the same canvas for all frames")
            }
        }
    }

    /// Checks that a thumbnail has about the same mean colors as the whole image.
    private func checkColors(of thumbnail: PixelBuffer, as whole: PixelBuffer) throws {
        // A single pixel may come from a single block, which can extend beyond the sides of a small image.
        guard thumbnail.size.area > 1 else { return }
        let expected = try whole.resampled(to: thumbnail.size).meanLight
        let mean = thumbnail.meanLight
        let isNear = (0..<4).allSatisfy { abs(mean[$0] - expected[$0]) <= Self.meanTolerance }
        func levels(_ light: SIMD4<Double>) -> [Int] { (0..<4).map { Int((light[$0] * 255).rounded()) } }
        try expect(
            isNear,
            "a thumbnail of \(thumbnail.size) with the colors of the whole picture, \(levels(expected)) on average",
            but: "they are \(levels(mean))",
            advice: "check the order of channels or planes, and the reduction of the decoded size")
    }
}
