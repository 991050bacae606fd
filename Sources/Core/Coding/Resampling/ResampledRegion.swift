/// A region of a picture, and the size to which it is resampled.
package struct ResampledRegion: Sendable, Equatable {
    /// The pixels that may contribute to the result. Filters do not read beyond them.
    package var bounds: PixelRegion
    /// The columns to resample, in pixels from the left edge of the picture. They may begin between two pixels.
    package var columns: Range<Double>
    /// The rows to resample, in pixels from the top edge of the picture. They may begin between two pixels.
    package var rows: Range<Double>
    /// The size of the result.
    package var size: PixelSize

    /// Creates a region that consists of whole pixels and keeps its size.
    package init(_ bounds: PixelRegion) {
        self.bounds = bounds
        columns = Double(bounds.x)..<Double(bounds.x) + Double(bounds.size.width)
        rows = Double(bounds.y)..<Double(bounds.y) + Double(bounds.size.height)
        size = bounds.size
    }

    /// Creates a region of which each pixel is an average of pixels that may lie outside the region.
    /// - Parameters:
    ///   - whole: The size of the picture.
    ///   - columns: The columns to resample; by default all.
    ///   - rows: The rows to resample; by default all.
    ///   - size: The size of the result.
    package init(
        of whole: PixelSize, columns: Range<Double>? = nil, rows: Range<Double>? = nil, resampledTo size: PixelSize
    ) {
        self.init(PixelRegion(size: whole))
        if let columns { self.columns = columns }
        if let rows { self.rows = rows }
        self.size = size
    }

    /// Moves the region. A region that keeps its size is moved by whole pixels, so that its pixels are only copied.
    /// - Parameter origin: The left and top edges, in pixels from those of the picture.
    mutating func move(to origin: (x: Double, y: Double)) {
        func moved(_ range: Range<Double>, _ length: Int, to start: Double) -> Range<Double> {
            let start = range.length == Double(length) ? start.rounded() : start
            return start..<start + range.length
        }
        columns = moved(columns, size.width, to: origin.x)
        rows = moved(rows, size.height, to: origin.y)
    }

    /// Returns whether the result is the whole picture of the given size, unchanged.
    func isAll(of picture: PixelSize) -> Bool { self == ResampledRegion(PixelRegion(size: picture)) }

    /// Returns whether the region is the whole picture of the given size.
    func keepsAll(of picture: PixelSize) -> Bool {
        columns == 0..<Double(picture.width) && rows == 0..<Double(picture.height)
    }

    /// Whether both sides of the result are shorter than those of the region.
    var isReduced: Bool { Double(size.width) < columns.length && Double(size.height) < rows.length }

    /// Returns the windows that make the columns of the result.
    func columnWindows(filter: ResamplingFilter) -> ResamplingWindows {
        ResamplingWindows(
            source: bounds.x..<bounds.x + bounds.size.width, region: columns, targetLength: size.width, filter: filter)
    }

    /// Returns the windows that make the rows of the result.
    func rowWindows(filter: ResamplingFilter) -> ResamplingWindows {
        ResamplingWindows(
            source: bounds.y..<bounds.y + bounds.size.height, region: rows, targetLength: size.height, filter: filter)
    }

    /// Whether the region consists of whole pixels and keeps its size.
    private var isCut: Bool { self == ResampledRegion(bounds) }

    /// Returns the region of the picture whose result is `region` of this region's result. At most one of the two
    /// resamples.
    func keeping(_ region: ResampledRegion) -> ResampledRegion {
        var kept = region
        if isCut {
            kept.bounds.x += bounds.x
            kept.bounds.y += bounds.y
            kept.columns = region.columns.shifted(by: Double(bounds.x))
            kept.rows = region.rows.shifted(by: Double(bounds.y))
        } else {
            kept.bounds = bounds
            kept.columns = columns.part(region.columns, of: size.width)
            kept.rows = rows.part(region.rows, of: size.height)
        }
        return kept
    }

    /// Returns this region of an upright picture as a region of the stored one.
    /// - Parameter upright: The size of the upright picture.
    func stored(as orientation: Orientation, in upright: PixelSize) -> ResampledRegion {
        let turning = orientation.inverse
        let (isMirrored, isFlipped) = turning.mirrorings
        var stored = self
        if isMirrored {
            stored.columns = columns.mirrored(in: upright.width)
            stored.bounds.x = upright.width - bounds.size.width - bounds.x
        }
        if isFlipped {
            stored.rows = rows.mirrored(in: upright.height)
            stored.bounds.y = upright.height - bounds.size.height - bounds.y
        }
        guard turning.isTransposed else { return stored }
        (stored.columns, stored.rows) = (stored.rows, stored.columns)
        (stored.bounds.x, stored.bounds.y) = (stored.bounds.y, stored.bounds.x)
        stored.bounds.size = bounds.size.transposed
        stored.size = size.transposed
        return stored
    }

    /// Returns this region of a picture as a region of a version that a decoder has made, which may be smaller.
    ///
    /// If the decoder has divided the size and rounded up, the last column and row can lie partly outside the picture.
    func inVersion(of version: PixelSize, of whole: PixelSize) -> ResampledRegion {
        guard version != whole else { return self }
        // The longer side tells the divisor more reliably than the shorter one.
        let ratio =
            whole.width > whole.height
            ? Double(whole.width) / Double(version.width) : Double(whole.height) / Double(version.height)
        let divisor = max(1, ratio.rounded())
        func scale(_ length: Int, of whole: Int) -> Double {
            let exact = Double(whole) / divisor
            return (exact.rounded(.up) == Double(length) ? exact : Double(length)) / Double(whole)
        }
        let scales = (x: scale(version.width, of: whole.width), y: scale(version.height, of: whole.height))
        var part = self
        part.columns = columns.scaled(by: scales.x)
        part.rows = rows.scaled(by: scales.y)
        part.bounds = bounds.scaled(by: scales, within: version)
        return part
    }

    /// Returns this region of a plane as a region of one with half the resolution.
    /// - Parameter plane: The size of the plane with half the resolution.
    func halved(within plane: PixelSize) -> ResampledRegion {
        var part = self
        part.columns = columns.scaled(by: 0.5)
        part.rows = rows.scaled(by: 0.5)
        part.bounds = bounds.scaled(by: (0.5, 0.5), within: plane)
        return part
    }

    /// Returns the size that the whole picture needs so that resampling the region does not enlarge it; at most its own
    /// size.
    func neededSize(of whole: PixelSize) -> PixelSize {
        // Dividing and multiplying could be inexact.
        guard !keepsAll(of: whole) else {
            return PixelSize(width: min(size.width, whole.width), height: min(size.height, whole.height))
        }
        func needed(_ region: Range<Double>, _ length: Int, of whole: Int) -> Int {
            let exact = (Double(length) / region.length * Double(whole) - 1e-9).rounded(.up)
            return min(max(Int(exactly: exact) ?? .max, 1), whole)
        }
        return PixelSize(
            width: needed(columns, size.width, of: whole.width), height: needed(rows, size.height, of: whole.height))
    }
}

extension Orientation {
    /// Whether turning mirrors the columns, and whether it mirrors the rows, of the picture before they are exchanged.
    fileprivate var mirrorings: (columns: Bool, rows: Bool) {
        switch self {
        case .up, .leftMirrored: (false, false)
        case .upMirrored, .left: (true, false)
        case .down, .rightMirrored: (true, true)
        case .downMirrored, .right: (false, true)
        }
    }
}

extension PixelRegion {
    /// Returns the region with its edges scaled and rounded outward.
    fileprivate func scaled(by scales: (x: Double, y: Double), within whole: PixelSize) -> PixelRegion {
        func edges(_ start: Int, _ length: Int, _ scale: Double, _ whole: Int) -> Range<Int> {
            // An edge is rounded outward only if it lies within a pixel.
            let first = min(Int((Double(start) * scale + 1e-9).rounded(.down)), whole - 1)
            let last = Int((Double(start + length) * scale - 1e-9).rounded(.up))
            return first..<max(min(last, whole), first + 1)
        }
        let columns = edges(x, size.width, scales.x, whole.width)
        let rows = edges(y, size.height, scales.y, whole.height)
        return PixelRegion(
            x: columns.lowerBound, y: rows.lowerBound, size: PixelSize(width: columns.count, height: rows.count))
    }
}

extension Range<Double> {
    /// The distance between the bounds.
    var length: Double { upperBound - lowerBound }

    fileprivate func shifted(by distance: Double) -> Range { lowerBound + distance..<upperBound + distance }

    fileprivate func scaled(by scale: Double) -> Range { lowerBound * scale..<upperBound * scale }

    fileprivate func mirrored(in length: Int) -> Range { Double(length) - upperBound..<Double(length) - lowerBound }

    /// Returns the part of this range that becomes `part` if the range is resampled to `length` pixels.
    fileprivate func part(_ part: Range, of length: Int) -> Range {
        let scale = self.length / Double(length)
        return lowerBound + part.lowerBound * scale..<Swift.min(lowerBound + part.upperBound * scale, upperBound)
    }
}
