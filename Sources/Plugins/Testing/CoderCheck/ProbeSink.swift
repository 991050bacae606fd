package import Calotype

/// A sink that accepts rows or planes as the pipeline does, and checks that the decoder uses it correctly.
package struct ProbeSink: RowSink, ~Copyable {
    private let behavior: ProbeBehavior
    private var outcome = ProbeOutcome()
    private var builder: PixelBufferBuilder?
    /// Whether the sink has thrown, after which the decoder must stop.
    private var hasThrown = false

    /// Creates a sink.
    package init(_ behavior: ProbeBehavior) {
        self.behavior = behavior
    }

    package mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
        try checkCall("`begin`")
        guard outcome.layout == nil, outcome.planes.isEmpty else { throw misused("called `begin` twice") }
        if let refusal = behavior.refusal { throw thrown(refusal) }
        try checkJob()
        guard layout.size.area <= behavior.maxPixels, !layout.size.isEmpty else {
            throw thrown(refusal(of: layout.size))
        }
        builder = try PixelBufferBuilder(layout: layout)
        outcome.layout = layout
        outcome.channels = channels
    }

    package mutating func beginPlanes(_ layout: PlanarLayout) throws(ImageError) -> Bool {
        try checkCall("`beginPlanes`")
        guard outcome.layout == nil, outcome.planes.isEmpty else {
            throw misused("offered planes twice or after `begin`")
        }
        outcome.offeredPlanes = layout
        if let refusal = behavior.refusalOfPlanes { throw thrown(refusal) }
        guard behavior.takesPlanes else { return false }
        try checkJob()
        guard layout.size.area <= behavior.maxPixels else {
            throw thrown(refusal(of: layout.size))
        }
        outcome.planes = Array(repeating: [], count: layout.chromaSize == nil ? 1 : 3)
        return true
    }

    package mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
        try checkCall("row \(y)")
        guard let layout = outcome.layout else { throw misused("passed row \(y) before it called `begin`") }
        guard y == outcome.rowCount, y < layout.size.height else {
            throw misused("passed row \(y) of \(layout.size.height) after \(outcome.rowCount) rows")
        }
        try checkRow(y)
        let filling = behavior.filling
        try builder?.withRow(y) { (row: inout MutableRawSpan) throws -> Void in
            row.withUnsafeMutableBytes { _ = $0.initializeMemory(as: UInt8.self, repeating: filling) }
            try body(&row)
        }
        outcome.rowCount += 1
    }

    package mutating func whole(_ body: (_ rows: inout MutableRawSpan, _ bytesPerRow: Int) throws -> Void) throws {
        try checkCall("`whole`")
        guard let layout = outcome.layout, let bytesPerRow = builder?.bytesPerRow else {
            throw misused("called `whole` before `begin`")
        }
        guard outcome.rowCount == 0 else { throw misused("called `whole` after other rows") }
        try checkRow(0)
        let filling = behavior.fillsWhole ? behavior.filling : 0
        try builder?.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) throws -> Void in
            memory.initializeMemory(as: UInt8.self, repeating: filling)
            var rows = MutableRawSpan(_unsafeBytes: memory)
            try body(&rows, bytesPerRow)
        }
        outcome.rowCount = layout.size.height
        outcome.isWhole = true
    }

    package mutating func plane(_ index: Int, rows: Range<Int>, _ bytes: RawSpan, bytesPerRow: Int) throws {
        try checkCall("plane \(index)")
        guard let layout = outcome.offeredPlanes, outcome.planes.indices.contains(index) else {
            throw misused("passed rows of plane \(index), which the sink did not request")
        }
        try checkRow(rows.lowerBound)
        let size = index == 0 ? layout.size : layout.chromaSize ?? layout.size
        guard rows.lowerBound * size.width == outcome.planes[index].count, rows.upperBound <= size.height else {
            throw misused("passed rows \(rows) of plane \(index) out of order")
        }
        guard bytesPerRow >= size.width, bytes.byteCount >= (rows.count - 1) * bytesPerRow + size.width else {
            throw misused("passed \(bytes.byteCount) bytes for rows \(rows) of plane \(index), \(size)")
        }
        var samples: [UInt8] = []
        bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Void in
            for row in 0..<rows.count { samples += bytes[row * bytesPerRow..<row * bytesPerRow + size.width] }
        }
        outcome.planes[index] += samples
    }

    /// Returns the outcome.
    package consuming func finish() -> ProbeOutcome {
        var outcome = outcome
        guard let builder = consume builder else { return outcome }
        let layout = outcome.layout
        outcome.pixels = builder.finish(isOpaque: layout?.isOpaque == true, isGray: layout?.isGray == true)
        return outcome
    }

    /// Throws an error and records a misuse if the decoder calls the sink after the sink has thrown.
    private mutating func checkCall(_ name: String) throws(ImageError) {
        guard hasThrown else { return }
        throw misused("continued with \(name) after its sink had thrown")
    }

    private mutating func checkJob() throws(ImageError) {
        do throws(ImageError) {
            try behavior.job.check()
        } catch {
            throw thrown(error)
        }
    }

    private mutating func checkRow(_ y: Int) throws {
        do {
            try behavior.onRow(y)
        } catch {
            hasThrown = true
            throw error
        }
        try checkJob()
    }

    /// Returns the error for a picture that is empty or exceeds the limit.
    private func refusal(of size: PixelSize) -> ImageError {
        guard !size.isEmpty else {
            return ImageError(
                .badData, stage: .decode, message: "the picture has no pixels: its size is \(size)",
                advice: "throw `badData` before calling `begin`")
        }
        return ImageError(
            .limitExceeded, stage: .decode,
            message: "\(size) is \(size.area) pixels; checkCoder allows at most \(behavior.maxPixels)",
            advice: "pass a smaller sample")
    }

    /// Records that the sink throws an error, and returns the error.
    private mutating func thrown(_ error: ImageError) -> ImageError {
        hasThrown = true
        return error
    }

    /// Records the first misuse and returns the error for the decoder.
    private mutating func misused(_ what: String) -> ImageError {
        outcome.misuse = outcome.misuse ?? what
        return thrown(
            ImageError(
                .badData, stage: .decode, message: "the coder \(what)",
                advice: "see `RowSink` for the order of calls"))
    }
}
