import Calotype

extension CoderSubject {
    /// The maximum number of decodes of a file that arrives byte by byte, not counting the one after the last byte.
    private static let mostLooks = 32
    /// The number of equal parts into which a file is divided, to cut it off or damage it at each boundary.
    private static let placeCount = 8

    /// Checks that a file that arrives in pieces yields the properties and, in the end, the image of the whole file.
    func checkProgressive() throws {
        guard try progressiveDecoder() != nil else { return }
        let decoder = try decoder()
        let whole = (info: try decoder.info, pixels: try decoder.probe().picture())
        for arrival in arrivals() { try check(arrival, whole) }
        for place in 1..<Self.placeCount {
            let count = sample.data.count * place / Self.placeCount
            try checkCutOff(after: count, whole.pixels)
            try checkDamage(at: count)
        }
    }

    private func progressiveDecoder() throws -> (any ProgressiveDecoder)? {
        // The pipeline also passes the first bytes of a file that is still growing.
        let head = ImageBytes()
        try head.append(Data(sample.data.prefix(Self.headByteCount)))
        return try coder.progressiveDecoder(for: head, options: DecodeOptions())
    }

    /// A way in which the bytes of a file arrive: the offsets at which the pieces end. Some pieces may be empty.
    private struct Arrival {
        let name: String
        let ends: [Int]
        /// The number of pieces that arrive from one decode to the next. The file is also decoded after the last piece.
        var interval = 1
    }

    private func arrivals() -> [Arrival] {
        let count = sample.data.count
        let bytes = Arrival(
            name: "byte by byte", ends: Array(1...max(1, count)), interval: count / Self.mostLooks + 1)
        let seeds: ClosedRange<UInt64> = 1...3
        let pieces = seeds.map { (seed: UInt64) -> Arrival in
            var random = SplitMix64(seed: seed)
            var ends = [0]
            while let last = ends.last, last < count {
                let length = Int.random(in: 0...max(2, count / 16), using: &random)
                ends.append(min(count, last + length))
            }
            return Arrival(name: "in the pieces of seed \(seed)", ends: ends)
        }
        return [Arrival(name: "at once", ends: [count]), bytes] + pieces
    }

    private func check(_ arrival: Arrival, _ whole: (info: ImageInfo, pixels: PixelBuffer)) throws {
        guard let decoder = try progressiveDecoder() else { return }
        let count = sample.data.count
        var isKnown = false
        var isShown = false
        var start = 0
        for (index, end) in arrival.ends.enumerated() {
            let place = "after \(end) of \(count) bytes \(arrival.name)"
            let isLast = index == arrival.ends.count - 1
            let piece = sample.data.rebased(start..<end)
            try decoder.append(piece.bytes, isLast: isLast)
            start = end
            // The pipeline shows the frames of an animation with a decoder for the incomplete file instead.
            guard !decoder.isAnimation else { return }
            let info = try unlessIncomplete { try decoder.info }
            try expect(
                info.map { $0.isSame(asStillOf: whole.info) } ?? !isKnown,
                "the `info` of the whole file, or none yet, \(place)",
                but: info.map { "it is \($0)" } ?? "it is no longer available",
                advice: "provide `info` when all data that it depends on is available, and keep it")
            isKnown = info != nil
            guard isLast || index.isMultiple(of: arrival.interval) else { continue }
            let outcome = decoder.probe()
            // This decoder may yield no image of an animation at all, even after the last byte.
            if outcome.errorCode == .incomplete, !isLast || (!whole.info.frames.isEmpty && !isShown) { continue }
            isShown = true
            try check(outcome, place, isLast: isLast, whole.pixels)
        }
        try expect(
            isKnown, "`info` \(arrival.name)", but: "it is still incomplete after the last byte",
            advice: "use the available bytes when `isLast` is true")
    }

    private func check(_ outcome: ProbeOutcome, _ place: String, isLast: Bool, _ whole: PixelBuffer) throws {
        let pixels = try outcome.picture()
        if isLast, let difference = pixels.difference(from: whole) {
            throw Breach(
                expected: "the same pixels as from the whole file at once \(place)", but: "they \(difference)",
                advice: "decode all bytes with the same result as `decoder(for:)`")
        }
        try expect(
            pixels.size == whole.size, "a picture of \(whole.size) \(place)", but: "it is one of \(pixels.size)",
            advice: "pass all rows, transparent where no data is available")
    }

    /// Checks that a file without its end causes an error or yields the complete image.
    private func checkCutOff(after count: Int, _ whole: PixelBuffer) throws(Breach) {
        let place = "of a file that ends after \(count) of \(sample.data.count) bytes"
        let outcome: ProbeOutcome
        do {
            guard let decoder = try progressiveDecoder() else { return }
            let beginning = sample.data.rebased(0..<count)
            try decoder.append(beginning.bytes, isLast: true)
            outcome = decoder.probe()
        } catch {
            return
        }
        try outcome.checkUse()
        guard outcome.error == nil else { return }
        guard let pixels = outcome.pixels, let difference = pixels.difference(from: whole) else { return }
        throw Breach(
            expected: "an error or all pixels \(place)", but: "there is no error, and the pixels \(difference)",
            advice: "throw `badData` when rows are missing and `isLast` is true")
    }

    /// Checks that a progressive decoder of a damaged file keeps failing after an error other than `incomplete`.
    /// - Parameter place: The offset of the 16 bytes to damage.
    private func checkDamage(at place: Int) throws(Breach) {
        var random = SplitMix64(seed: UInt64(place))
        var data = sample.data.rebased(0..<sample.data.count)
        for index in place..<min(data.count, place + 16) { data[index] = UInt8.random(in: 0...255, using: &random) }
        guard let decoder = try? progressiveDecoder() else { return }
        var failure: (any Error)?
        var start = 0
        while start < data.count {
            let end = min(data.count, start + data.count / Self.placeCount + 1)
            let piece = data.rebased(start..<end)
            do {
                try decoder.append(piece.bytes, isLast: end == data.count)
            } catch {
                failure = failure ?? error
            }
            start = end
            // As in the pipeline, `info` is checked first, which limits the allocated memory.
            guard let info = try? decoder.info, info.pixelSize.area <= ProbeBehavior().maxPixels else { continue }
            let outcome = decoder.probe()
            try outcome.checkUse()
            guard let told = failure else {
                if outcome.errorCode != .incomplete { failure = outcome.error }
                continue
            }
            try expect(
                outcome.error != nil && outcome.errorCode != .incomplete,
                "the same error from then on for a file damaged at byte \(place): '\(told)'",
                but: "it \(outcome.error.map { "throws '\($0)'" } ?? "returns a picture") after \(end) bytes",
                advice: "keep the first error that is not `incomplete`, and throw it again")
        }
    }

    private func unlessIncomplete<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as ImageError where error.code == .incomplete {
            return nil
        }
    }
}

extension Data {
    /// Returns a copy of a range of the bytes, with indices that begin at zero.
    fileprivate func rebased(_ range: Range<Int>) -> Data {
        Data(self[startIndex + range.lowerBound..<startIndex + range.upperBound])
    }
}

extension ImageInfo {
    /// Returns whether these properties of a file that is still arriving agree with those of the whole file. The
    /// frames, the loop count, an animation's alpha and the orientation may become known later.
    fileprivate func isSame(asStillOf whole: ImageInfo) -> Bool {
        var still = whole
        (still.frames, still.loopCount) = (frames, loopCount)
        if !whole.frames.isEmpty { still.hasAlpha = hasAlpha }
        if orientation == .up { still.orientation = .up }
        return self == still
    }
}
