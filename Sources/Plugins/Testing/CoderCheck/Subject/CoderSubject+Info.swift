import Calotype

extension CoderSubject {
    /// Checks that the properties of the file match its pixels and never change.
    func checkInfo() throws {
        let decoder = try decoder()
        let info = try decoder.info
        try checkFacts(of: info)
        let outcome = decoder.probe()
        let pixels = try outcome.picture()
        let others = try [
            ("after a decode", decoder.info), ("from another decoder", self.decoder().info),
            ("under `.allowPartial`", self.decoder(of: nil, [.allowPartial]).info),
        ]
        for (place, again) in others {
            try expect(
                again == info, "one `info` for one file", but: "it differs \(place): it is \(again), but was \(info)",
                advice: "read the header once, and keep the result")
        }
        try checkSize(of: pixels, info)
        try checkColors(of: outcome, pixels, info)
        try checkDepth(info)
    }

    private func checkFacts(of info: ImageInfo) throws(Breach) {
        try expect(
            coder.formats.contains(info.format), "one of the coder's formats",
            but: "`info` has \(info.format.name)", advice: "list it in `formats`")
        try expect(
            !info.pixelSize.isEmpty, "a nonempty size", but: "`info` has \(info.pixelSize)",
            advice: "throw `badData` for a picture without pixels")
        try expect(
            [1, 2, 4, 8, 10, 12, 16].contains(info.bitDepth), "a depth of 1, 2, 4, 8, 10, 12 or 16 bits",
            but: "`info` has \(info.bitDepth)", advice: "count the bits of one channel")
        try expect(
            info.loopCount >= 0 && (!info.frames.isEmpty || info.loopCount == 1), "a still that plays once",
            but: "`info` has a loop count of \(info.loopCount)", advice: "leave it at 1 for a still")
        if let isAnimated = sample.isAnimated {
            try expect(
                (info.frameCount > 1) == isAnimated, isAnimated ? "several frames" : "a still",
                but: "`info` has \(info.frameCount) frames", advice: "check how the coder counts frames")
        }
    }

    private func checkSize(of pixels: PixelBuffer, _ info: ImageInfo) throws(Breach) {
        let size = info.frames.first?.region.size ?? info.pixelSize
        try expect(
            pixels.size == size, "rows of the size in `info`, \(size)", but: "they form \(pixels.size)",
            advice: "announce the stored size, neither rotated nor scaled")
    }

    private func checkColors(of outcome: ProbeOutcome, _ pixels: PixelBuffer, _ info: ImageInfo) throws(Breach) {
        let isInk = outcome.channels == .cmyk
        try expect(
            isInk == (info.colorModel == .cmyk), "CMYK rows exactly if `info` has CMYK",
            but: "the rows hold \(outcome.channels), and `info` has \(info.colorModel.rawValue)",
            advice: "announce CMYK with `begin(_:channels:)`")
        guard !isInk else { return }
        if !info.hasAlpha || pixels.isOpaque, let place = pixels.firstPixel(not: { $0.alpha == 1 }) {
            throw Breach(
                expected: "full alpha, as in \(info.hasAlpha ? "the layout" : "`info`")",
                but: "it is not at column \(place.x) of row \(place.y)",
                advice: "write full alpha, or declare alpha")
        }
        if pixels.isGray, let place = pixels.firstPixel(not: { $0.red == $0.green && $0.green == $0.blue }) {
            throw Breach(
                expected: "gray pixels, as in the layout",
                but: "there is a color at column \(place.x) of row \(place.y)",
                advice: "announce gray only where all three channels are equal")
        }
    }

    /// Checks that `.nativeDepth` yields more than eight bits per channel exactly if the file has more than eight.
    private func checkDepth(_ info: ImageInfo) throws {
        let format = try picture(0, [.nativeDepth]).format
        let isDeep = info.bitDepth > 8
        try expect(
            isDeep == (format != .rgba8),
            "\(isDeep ? "more than eight" : "eight") bits for a file with \(info.bitDepth)",
            but: "`.nativeDepth` gives \(format)",
            advice: "announce the smallest format that holds the file's bits")
    }
}
