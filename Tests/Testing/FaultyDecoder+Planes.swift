import Calotype

extension FaultyDecoder {
    /// Delivers the planes of an opaque 8-bit still image to sinks that accept them.
    /// - Returns: Whether planes were delivered; otherwise rows follow.
    func givePlanes(
        of file: FaultyFile, _ layout: PixelLayout, to sink: inout some RowSink & ~Copyable
    ) throws -> Bool {
        guard layout.isOpaque, !file.isDeep, file.frames.isEmpty, layout.size == file.size,
            try sink.beginPlanes(PlanarLayout(size: file.size, chromaSize: file.size))
        else { return false }
        for y in 0..<file.size.height {
            guard case .there(let row) = file.row(y, ofFrame: 0) else { throw FaultyFile.damaged("ends in row \(y)") }
            do {
                try give(row, y, to: &sink)
            } catch {
                guard defect == .planesIgnoreCancelling else { throw error }
            }
        }
        return true
    }

    private func give(_ row: Data, _ y: Int, to sink: inout some RowSink & ~Copyable) throws {
        var planes = [Data(), Data(), Data()]
        for x in 0..<row.count / 4 {
            let (red, green, blue) = (Double(row[x * 4]), Double(row[x * 4 + 1]), Double(row[x * 4 + 2]))
            // Source: ITU-T T.871, section 7.
            planes[0].append(Self.level(0.299 * red + 0.587 * green + 0.114 * blue))
            planes[1].append(Self.level(-0.1687 * red - 0.3313 * green + 0.5 * blue + 128))
            planes[2].append(Self.level(0.5 * red - 0.4187 * green - 0.0813 * blue + 128))
        }
        if defect == .swappedPlanes { planes.swapAt(1, 2) }
        if defect == .planesChange { planes[2][0] = coder.count() }
        for (index, plane) in planes.enumerated() {
            try sink.plane(index, rows: y..<y + 1, plane.bytes, bytesPerRow: plane.count)
        }
    }

    private static func level(_ value: Double) -> UInt8 { UInt8(min(max(0, value.rounded()), 255)) }
}
