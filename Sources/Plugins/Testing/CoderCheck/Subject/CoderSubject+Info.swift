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
                again == info, "one `info` for one file", but: "it differs \(place): \(again) was \(info)",
                advice: "read the header once, and keep what it says")
        }
        try checkSize(of: pixels, info)
        try checkColors(of: outcome, pixels, info)
        try checkDepth(info)
    }

    private func checkFacts(of info: ImageInfo) throws(Breach) {
        try expect(
            coder.formats.contains(info.format), "a format of the coder's own",
            but: "`info` says \(info.format.name)", advice: "list it in `formats`")
        try expect(
            !info.pixelSize.isEmpty, "a size", but: "`info` says \(info.pixelSize)",
            advice: "throw `badData` for a picture without pixels")
        try expect(
            [1, 2, 4, 8, 10, 12, 16].contains(info.bitDepth), "a depth of 1, 2, 4, 8, 10, 12 or 16 bits",
            but: "`info` says \(info.bitDepth)", advice: "count the bits of one channel")
        try expect(
            info.loopCount >= 0 && (!info.frames.isEmpty || info.loopCount == 1), "a still that plays once",
            but: "`info` says a loop count of \(info.loopCount)", advice: "leave it at 1 for a still")
        if let isAnimated = sample.isAnimated {
            try expect(
                (info.frameCount > 1) == isAnimated, isAnimated ? "several frames" : "a still",
                but: "`info` says \(info.frameCount) frames", advice: "look at what the file says of its frames")
        }
    }

    private func checkSize(of pixels: PixelBuffer, _ info: ImageInfo) throws(Breach) {
        let size = info.frames.first?.region.size ?? info.pixelSize
        try expect(
            pixels.size == size, "rows of the size that `info` says, \(size)", but: "they make \(pixels.size)",
            advice: "announce as stored, neither turned nor scaled")
    }

    private func checkColors(of outcome: ProbeOutcome, _ pixels: PixelBuffer, _ info: ImageInfo) throws(Breach) {
        let isInk = outcome.channels == .cmyk
        try expect(
            isInk == (info.colorModel == .cmyk), "inks where `info` says so, and only there",
            but: "the rows hold \(outcome.channels), and `info` says \(info.colorModel.rawValue)",
            advice: "announce inks by `begin(_:channels:)`")
        guard !isInk else { return }
        if !info.hasAlpha || pixels.isOpaque, let place = pixels.firstPixel(not: { $0.alpha == 1 }) {
            throw Breach(
                expected: "full alpha, as \(info.hasAlpha ? "the layout" : "`info`") says",
                but: "it is not at column \(place.x) of row \(place.y)",
                advice: "write full alpha, or say that there is some")
        }
        if pixels.isGray, let place = pixels.firstPixel(not: { $0.red == $0.green && $0.green == $0.blue }) {
            throw Breach(
                expected: "gray pixels, as the layout says",
                but: "there is a color at column \(place.x) of row \(place.y)",
                advice: "announce gray only where all three channels are equal")
        }
    }

    /// Checks that more than eight bits are delivered if they are requested and present, and otherwise eight.
    private func checkDepth(_ info: ImageInfo) throws {
        let format = try picture(0, [.nativeDepth]).format
        let isDeep = info.bitDepth > 8
        try expect(
            isDeep == (format != .rgba8),
            "\(isDeep ? "more than eight" : "eight") bits of a file that has \(info.bitDepth)",
            but: "`.nativeDepth` gives \(format)",
            advice: "announce the format that holds what the file has, and no more")
    }
}
