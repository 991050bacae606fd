import CKernels

/// A resampler of one plane. It processes source rows in groups of eight, called octets. It resamples along the rows
/// first, so the rows that it keeps are as narrow as the target.
final class PlaneResampler {
    let size: PixelSize
    /// The number of source rows that have arrived.
    private(set) var rowsTaken = 0
    /// The number of target rows that have been made.
    private(set) var rowsMade = 0

    private let targetSize: PixelSize
    private let horizontal: ResamplingWindows.Horizontal8
    private let vertical: ResamplingWindows.Octets
    private let job: Job

    /// The source rows of the next octet; nil for each row that has not arrived.
    ///
    /// This list, `waitingRows` and `pointers` are not arrays: the exclusivity check of a mutable array property would
    /// take longer than the work on a row.
    private let octet: RowMemory<UnsafePointer<UInt8>?>
    /// Copies of the source rows of an incomplete octet, because the decoder may reuse the memory of the originals.
    private let waitingRows: RowMemory<UInt8>
    private let packed: (RowMemory<Int16>, RowMemory<Int16>)
    private var octetsTaken = 0
    /// The latest octets, already resampled along the rows. Each octet takes `octetStride` values.
    private let ring: RowMemory<Int16>
    private let ringCount: Int
    private let octetStride: Int
    private let pointers: RowMemory<UnsafePointer<Int16>>

    /// The finished target rows that have not been fetched yet, by row number. The elements of all other rows are nil.
    private var made: [RowMemory<Int16>?]
    private var spare: [RowMemory<Int16>] = []

    /// Creates a resampler of a plane. Throws `outOfMemory`.
    init(
        _ size: PixelSize, targetSize: PixelSize, horizontal: ResamplingWindows.Horizontal8,
        vertical: ResamplingWindows.Octets, job: Job
    ) throws(ImageError) {
        self.size = size
        self.targetSize = targetSize
        self.horizontal = horizontal
        self.vertical = vertical
        self.job = job
        waitingRows = try RowMemory(count: size.width * 8)
        let packedCount = ck_resize_packed_pixels(size.width) * 4
        packed = (try RowMemory(count: packedCount), try RowMemory(count: packedCount))
        octet = try RowMemory(count: 8)
        octet.base.update(repeating: nil, count: 8)
        ringCount = (vertical.windows.map(\.count).max() ?? 1) + 1
        // Each at a multiple of 64 bytes.
        octetStride = (targetSize.width * 8 + 31) & ~31
        ring = try RowMemory(count: ringCount * octetStride)
        pointers = try RowMemory(count: ringCount)
        made = Array(repeating: nil, count: targetSize.height)
    }

    /// Takes the next `count` rows, and makes every target row that can be made now. Throws `outOfMemory`, and
    /// `cancelled` or `timedOut` if the job ends.
    func take(_ count: Int, _ bytes: UnsafePointer<UInt8>, bytesPerRow: Int) throws(ImageError) {
        var taken = rowsTaken
        for index in 0..<count {
            octet.base[taken % 8] = bytes + index * bytesPerRow
            taken += 1
            guard taken.isMultiple(of: 8) || taken == size.height else { continue }
            try job.check()
            takeOctet()
            try makeRows()
        }
        rowsTaken = taken
        keepRows(last: count)
    }

    /// Returns the values of target row `y`, which are levels multiplied by 64. The row must have been made, and can be
    /// fetched once. The memory is valid until more source rows are taken.
    func fetch(_ y: Int) -> UnsafePointer<Int16> {
        let row = made[y].take()!
        spare.append(row)
        return UnsafePointer(row.base)
    }

    private func takeOctet() {
        // Octets before the next window, and after the last one, have no weight.
        if rowsMade < targetSize.height, octetsTaken >= vertical.windows[rowsMade].octet {
            ck_planes_pack8(octet.base, size.width, packed.0.base, packed.1.base)
            ck_resize_horizontal8(
                packed.0.base, packed.1.base, horizontal.windows, horizontal.coefficients, horizontal.precision,
                targetSize.width, ring.base + octetsTaken % ringCount * octetStride)
        }
        octetsTaken += 1
        octet.base.update(repeating: nil, count: 8)
    }

    /// Copies the rows of the incomplete octet, because the decoder may reuse the memory of the last `count` rows.
    private func keepRows(last count: Int) {
        let rows = (0..<8).first { octet.base[$0] == nil } ?? 8
        for row in max(0, rows - count)..<rows {
            let place = waitingRows.base + row * size.width
            place.update(from: octet.base[row]!, count: size.width)
            octet.base[row] = UnsafePointer(place)
        }
    }

    private func makeRows() throws(ImageError) {
        while rowsMade < targetSize.height {
            let window = vertical.windows[rowsMade]
            guard window.octet + window.count <= octetsTaken else { return }
            for index in 0..<window.count {
                let place = (window.octet + index) % ringCount
                pointers.base[index] = UnsafePointer(ring.base + place * octetStride)
            }
            let row = if let free = spare.popLast() { free } else { try RowMemory<Int16>(count: targetSize.width) }
            vertical.coefficients.withUnsafeBufferPointer { coefficients in
                ck_planes_vertical(
                    pointers.base, coefficients.baseAddress! + window.offset, window.count, vertical.precision,
                    targetSize.width, row.base)
            }
            made[rowsMade] = row
            rowsMade += 1
        }
    }
}
