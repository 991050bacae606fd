import Calotype

extension CoderSubject {
    /// The maximum number of prefixes of a file that are decoded.
    private static let mostPrefixes = 4_096
    /// The interval at which prefixes are also decoded with `allowPartial`: every fifth prefix.
    private static let partialInterval = 5

    /// The properties and images of the whole file.
    private struct Whole {
        let info: ImageInfo
        let frames: [(index: Int, pixels: PixelBuffer)]
    }

    /// Checks that each decoded prefix of the file causes an error or yields the complete image.
    func checkTruncation() throws {
        let decoder = try decoder()
        let info = try decoder.info
        let frames = try checkedFrames(of: info).map { frame in
            (index: frame, pixels: try decoder.probe(frame: frame).picture())
        }
        let whole = Whole(info: info, frames: frames)
        let step = (sample.data.count + Self.mostPrefixes - 1) / Self.mostPrefixes
        for count in stride(from: 0, to: sample.data.count, by: max(1, step)) {
            let prefix = Data(sample.data.prefix(count))
            try check(prefix, against: whole, [])
            if (count / max(1, step)).isMultiple(of: Self.partialInterval) {
                try check(prefix, against: whole, [.allowPartial])
            }
        }
    }

    private func check(_ prefix: Data, against whole: Whole, _ context: ImageContext) throws(Breach) {
        let place = "of the first \(prefix.count) of \(sample.data.count) bytes"
        let bytes = ImageBytes(prefix)
        let decoder: any ImageDecoder
        let info: ImageInfo
        do {
            guard let found = try coder.decoder(for: bytes, options: Self.options(context)) else {
                return try expect(
                    !coder.recognizes(bytes), "a decoder or an error \(place)", but: "`decoder(for:)` returned nil",
                    advice: "decide by the signature alone, and throw where the rest is missing")
            }
            decoder = found
            info = try found.info
        } catch let breach as Breach {
            throw breach
        } catch {
            return
        }
        try expect(
            info == whole.info || (!context.isEmpty && info.isSame(asPartOf: whole.info)),
            "an error or the `info` of the whole file \(place)", but: "it is \(info)",
            advice: "throw `badData` while a part is missing that `info` depends on; set `lacksFrames` only for an "
                + "animation that lacks frames, and under `.allowPartial`")
        for (frame, pixels) in whole.frames where frame < info.frameCount {
            let outcome = decoder.probe(frame: frame)
            try outcome.checkUse()
            guard outcome.error == nil else {
                if !context.isEmpty { try checkPartial(outcome, of: pixels, "frame \(frame) \(place)") }
                continue
            }
            try check(outcome, against: pixels, "frame \(frame) \(place)")
        }
    }

    private func check(_ outcome: ProbeOutcome, against pixels: PixelBuffer, _ place: String) throws(Breach) {
        let difference =
            outcome.rowCount == pixels.height
            ? outcome.pixels?.difference(from: pixels) : "are \(outcome.rowCount) of \(pixels.height) rows"
        guard let difference else { return }
        throw Breach(
            expected: "an error or all pixels \(place)", but: "there is no error, and the pixels \(difference)",
            advice: "throw `badData` or `incomplete` when bytes are missing, even after the last row")
    }

    /// Checks that the rows before an error are correct, and that the error reports missing or bad data.
    private func checkPartial(_ outcome: ProbeOutcome, of pixels: PixelBuffer, _ place: String) throws(Breach) {
        guard outcome.rowCount > 0 else { return }
        try expect(
            outcome.errorCode == .badData || outcome.errorCode == .incomplete,
            "`badData` or `incomplete` under `.allowPartial` after \(outcome.rowCount) rows \(place)",
            but: "it threw '\(outcome.error.map { "\($0)" } ?? "nothing")'",
            advice: "use a code with which Core keeps the available rows")
        // If all rows were delivered, they may be coarser than those of the whole file, as in a format with several
        // scans.
        guard outcome.rowCount < pixels.height,
            let difference = outcome.pixels?.difference(from: pixels, rowCount: outcome.rowCount)
        else { return }
        throw Breach(
            expected: "correct rows before an error \(place)",
            but: "the \(outcome.rowCount) rows \(difference)",
            advice: "pass a row only when all data that it depends on is available")
    }
}

extension ImageInfo {
    /// Returns whether these properties are correct for an animation that lacks its last frames. `loopCount` and
    /// `hasAlpha` may differ from `whole`, because they can depend on the missing part.
    fileprivate func isSame(asPartOf whole: ImageInfo) -> Bool {
        guard lacksFrames, !whole.frames.isEmpty, whole.frames.starts(with: frames) else { return false }
        var part = whole
        (part.frames, part.loopCount, part.hasAlpha, part.lacksFrames) = (frames, loopCount, hasAlpha, true)
        return self == part
    }
}
