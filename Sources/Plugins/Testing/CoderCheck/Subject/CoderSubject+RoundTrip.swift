import Calotype

extension CoderSubject {
    /// The maximum difference between the mean values of a channel, 0 to 1, before and after encoding.
    private static let meanTolerance = 1.0 / 16
    /// The maximum change of a frame's duration by encoding. Some formats store only hundredths of a second.
    private static let durationTolerance = Duration.milliseconds(10)

    /// Checks that an encoded file can be read and keeps the image as far as the format supports it.
    func checkRoundTrips() async throws {
        let manager = makeManager()
        let own = try await manager.info(of: sample.data).format
        for format in coder.formats {
            guard let encoder = coder.encoder(for: format) else { continue }
            if format == own { try await checkOwnFormat(format, manager) }
            let depths: [ImageContext] = [[], [.nativeDepth]]
            for depth in depths {
                let image = try await manager.decode(sample.data, context: depth)
                let file = try await written(image, format, manager)
                let again = try await manager.decode(file, context: depth)
                try check(again.pixels, of: image.pixels, format)
                if encoder.writesAnimations { try await checkAnimation(again, of: image, format) }
                try await checkOrientation(of: image, format, manager)
            }
        }
    }

    /// Checks that encoding the sample in its own format keeps its pixel format, profile and alpha.
    private func checkOwnFormat(_ format: ImageFormat, _ manager: ImageManager) async throws {
        let context: ImageContext = [.nativeDepth, .keepsProfile]
        let image = try await manager.decode(sample.data, context: context)
        let again = try await manager.decode(written(image, format, manager), context: context)
        try expect(
            again.pixels.format == image.pixels.format,
            "\(image.pixels.format) of the sample to be kept by \(format.name)",
            but: "it has become \(again.pixels.format)", advice: "write as many bits as the pixels have")
        try expect(
            again.attributes.profile == image.attributes.profile,
            "the profile of the sample to be kept by \(format.name)", but: "it is different or missing",
            advice: "write `image.attributes.profile` when `options.embedsProfile`")
        let (alpha, alphaAgain) = (image.pixels.meanLight[3], again.pixels.meanLight[3])
        try expect(
            (alpha == 1) == (alphaAgain == 1) && abs(alpha - alphaAgain) <= Self.meanTolerance,
            "the alpha of the sample to be kept by \(format.name), \(alpha) on average",
            but: "it has become \(alphaAgain)", advice: "write alpha where `pixels.isOpaque` is false")
    }

    /// Encodes an image twice and returns the file. Throws if the two files differ, or if they have the wrong format.
    private func written(_ image: Image, _ format: ImageFormat, _ manager: ImageManager) async throws -> Data {
        let file = try await manager.encode(image, as: format, context: [.compressionQuality(1)])
        let again = try await manager.encode(image, as: format, context: [.compressionQuality(1)])
        try expect(
            file == again, "the same bytes for the same image in \(format.name)",
            but: "they differ the second time", advice: "write neither times nor random data")
        let info = try await manager.info(of: file)
        try expect(
            info.format == format, "a file in \(format.name)", but: "it is in \(info.format.name)",
            advice: "write the requested format")
        return file
    }

    private func check(_ again: PixelBuffer, of pixels: PixelBuffer, _ format: ImageFormat) throws(Breach) {
        try expect(
            again.size == pixels.size, "\(pixels.size) to be kept by \(format.name)",
            but: "it has become \(again.size)",
            advice: "write the size of the pixels")
        let isOpaque = pixels.firstPixel(not: { $0.alpha == 1 }) == nil
        let isOpaqueAgain = again.firstPixel(not: { $0.alpha == 1 }) == nil
        try expect(
            isOpaqueAgain || !isOpaque, "opaque pixels to stay opaque in \(format.name)",
            but: "some have become transparent",
            advice: "write full alpha, or no alpha")
        // A format without alpha stores the flattened image, whose pixels differ.
        guard isOpaque == isOpaqueAgain else { return }
        if format.isLossless, again.format == pixels.format {
            guard let difference = again.difference(from: pixels) else { return }
            throw Breach(
                expected: "the same pixels from \(format.name), which is declared lossless",
                but: "they \(difference)", advice: "write them unchanged, or declare `isLossless: false`")
        } else if isOpaque {
            try checkMeans(of: again, pixels, format)
        }
    }

    /// Checks that the mean values of red, green and blue are similar before and after encoding.
    private func checkMeans(of again: PixelBuffer, _ pixels: PixelBuffer, _ format: ImageFormat) throws(Breach) {
        let distance = again.meanLight - pixels.meanLight
        let isNear = (0..<3).allSatisfy { abs(distance[$0]) <= Self.meanTolerance }
        try expect(
            isNear, "similar colors from \(format.name)",
            but: "red, green and blue are off by \(distance[0]), \(distance[1]) and \(distance[2]) on average",
            advice: "check the order of channels, and the range of their values")
    }

    /// Checks that an image with an orientation is upright after it was written and read again. The encoder may write
    /// an orientation tag or rotate the pixels.
    private func checkOrientation(of image: Image, _ format: ImageFormat, _ manager: ImageManager) async throws {
        let pixels = image.pixels
        let attributes = Image.Attributes(profile: image.attributes.profile, orientation: .right)
        let file = try await written(Image(pixels: pixels, attributes: attributes), format, manager)
        let upright = try await manager.decode(file, context: [.nativeDepth]).pixels
        try expect(
            upright.size == pixels.size.transposed,
            "\(pixels.size.transposed) from an image of \(pixels.size) that is turned upright",
            but: "it is \(upright.size)",
            advice: "write `image.attributes.orientation`, or do not declare `storesOrientation`")
        guard format.isLossless, upright.format == pixels.format, upright.isOpaque == pixels.isOpaque else { return }
        for (x, y) in [(0, 0), (pixels.width - 1, 0), (0, pixels.height - 1)] {
            let place = Orientation.right.displayPosition(x: x, y: y, in: pixels.size)
            try expect(
                upright.color(x: place.x, y: place.y) == pixels.color(x: x, y: y),
                "column \(x) of row \(y) to move to column \(place.x) of row \(place.y) when turned upright",
                but: "another color is there", advice: "write the orientation as EXIF defines it")
        }
    }

    private func checkAnimation(_ again: Image, of image: Image, _ format: ImageFormat) async throws {
        guard image.isAnimated, let frames = image.frames else { return }
        guard let framesAgain = again.frames, framesAgain.frameCount == frames.frameCount else {
            throw Breach(
                expected: "\(frames.frameCount) frames from \(format.name), which declares `writesAnimations`",
                but: "there are \(again.frames?.frameCount ?? 1)", advice: "write all of `image.frames`")
        }
        try expect(
            framesAgain.loopCount == frames.loopCount, "a loop count of \(frames.loopCount) from \(format.name)",
            but: "it has become \(framesAgain.loopCount)", advice: "write `frames.loopCount`; 0 means forever")
        for index in 0..<frames.frameCount {
            let duration = frames.duration(ofFrame: index)
            let durationAgain = framesAgain.duration(ofFrame: index)
            try expect(
                max(duration, durationAgain) - min(duration, durationAgain) <= Self.durationTolerance,
                "frame \(index) shown for \(duration)", but: "it has become \(durationAgain)",
                advice: "write `frames.duration(ofFrame:)` with the full precision of the format")
            try await check(
                CoderExamination.frame(index, of: framesAgain), of: CoderExamination.frame(index, of: frames), format)
        }
    }
}
