import Calotype

extension CoderSubject {
    /// How often a file is cut off; one that is no longer is cut off at every byte.
    private static let mostPrefixes = 4_096
    /// Of how many prefixes one is also decoded as far as it goes.
    private static let partialInterval = 5

    /// What the whole file gives.
    private struct Whole {
        let info: ImageInfo
        let frames: [(index: Int, pixels: PixelBuffer)]
    }

    /// Each beginning of the file is an error, or the same picture.
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
                    !coder.recognizes(bytes), "a decoder or an error \(place)", but: "`decoder(for:)` gave nil",
                    advice: "judge by the signature alone, and throw where the rest is missing")
            }
            decoder = found
            info = try found.info
        } catch let breach as Breach {
            throw breach
        } catch {
            return
        }
        // Of an animation the frames that are there may be a part, if only the first says that it is one.
        let isPart =
            !context.isEmpty && info.frameCount < whole.info.frameCount && info.pixelSize == whole.info.pixelSize
        try expect(
            isPart || info == whole.info, "an error or the `info` of the whole file \(place)", but: "it is \(info)",
            advice: "throw `badData` while a part is missing that `info` depends on")
        for (frame, pixels) in whole.frames where frame < info.frameCount {
            let outcome = decoder.probe(frame: frame)
            try outcome.checkUse()
            guard outcome.error == nil else {
                try checkPartial(outcome, place, context)
                continue
            }
            try expect(
                !isPart || frame > 0, "an error from the first frame \(place), since others are missing",
                but: "there is none", advice: "throw `badData` behind its last row, and Core keeps what is there")
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
            advice: "throw `badData` or `incomplete` when bytes are missing, also behind the last row")
    }

    /// What was given before an error can be shown when the error says that something is missing.
    private func checkPartial(_ outcome: ProbeOutcome, _ place: String, _ context: ImageContext) throws(Breach) {
        guard !context.isEmpty, outcome.rowCount > 0 else { return }
        try expect(
            outcome.errorCode == .badData || outcome.errorCode == .incomplete,
            "`badData` or `incomplete` under `.allowPartial` after \(outcome.rowCount) rows \(place)",
            but: "it threw '\(outcome.error.map { "\($0)" } ?? "nothing")'",
            advice: "choose the code by which Core keeps the rows that are there")
    }
}
