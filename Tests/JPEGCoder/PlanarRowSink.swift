#if JPEG
import Calotype
import Testing

/// A sink that stores a decoder's planes, and records an issue for violations of the contract. It discards rows.
struct PlanarRowSink: RowSink {
    /// The layout of the planes; nil if rows came.
    private(set) var layout: PlanarLayout?
    /// The samples of each plane, row by row and without padding.
    private(set) var planes: [[UInt8]] = []

    private var row: [UInt8] = []
    /// The number of calls until the time is over.
    private var callsLeft: Int

    init(callLimit: Int = .max) {
        callsLeft = callLimit
    }

    mutating func beginPlanes(_ layout: PlanarLayout) throws(ImageError) -> Bool {
        #expect(self.layout == nil && row.isEmpty, "begin was called twice")
        self.layout = layout
        planes = Array(repeating: [], count: layout.chromaSize == nil ? 1 : 3)
        return true
    }

    mutating func plane(_ index: Int, rows: Range<Int>, _ bytes: RawSpan, bytesPerRow: Int) throws {
        callsLeft -= 1
        guard callsLeft >= 0 else { throw ImageError(.timedOut, stage: .decode, message: "took longer than allowed") }
        try #require(planes.indices.contains(index))
        let size = try #require(planeSize(index))
        try #require(rows.lowerBound * size.width == planes[index].count, "rows \(rows) of plane \(index)")
        try #require(!rows.isEmpty && rows.upperBound <= size.height, "rows \(rows) of \(size)")
        try #require(bytesPerRow >= size.width && bytes.byteCount >= (rows.count - 1) * bytesPerRow + size.width)
        bytes.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Void in
            for row in 0..<rows.count {
                let start = row * bytesPerRow
                planes[index] += bytes[start..<start + size.width]
            }
        }
    }

    mutating func begin(_ layout: PixelLayout, channels: RowChannels) throws(ImageError) {
        #expect(self.layout == nil && row.isEmpty, "begin was called twice")
        row = [UInt8](repeating: 0, count: layout.rowByteCount)
    }

    mutating func row(_ y: Int, _ body: (inout MutableRawSpan) throws -> Void) throws {
        try row.withUnsafeMutableBytes { (memory: UnsafeMutableRawBufferPointer) throws -> Void in
            var row = MutableRawSpan(_unsafeBytes: memory)
            try body(&row)
        }
    }

    mutating func whole(_ body: (inout MutableRawSpan, Int) throws -> Void) throws {
        Issue.record("a JPEG is delivered row by row")
    }

    /// Whether all rows of all planes are present.
    var isWhole: Bool {
        layout != nil && planes.enumerated().allSatisfy { $1.count == planeSize($0)?.area }
    }

    private func planeSize(_ index: Int) -> PixelSize? {
        index == 0 ? layout?.size : layout?.chromaSize
    }
}
#endif
