import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct OrientationTests {
    /// A side of the displayed picture.
    private enum Side {
        case top
        case bottom
        case left
        case right
    }

    /// The displayed sides of row 0 and column 0. Source: CIPA DC-008 (EXIF 2.32), section 4.6.4 A, tag 0x0112.
    private static let sides: [UInt8: (row: Side, column: Side)] = [
        1: (.top, .left), 2: (.top, .right), 3: (.bottom, .right), 4: (.bottom, .left),
        5: (.left, .top), 6: (.right, .top), 7: (.right, .bottom), 8: (.left, .bottom),
    ]

    /// Returns the displayed position of a stored pixel by that definition.
    private func seen(_ orientation: Orientation, x: Int, y: Int, in stored: PixelSize) throws -> (x: Int, y: Int) {
        let sides = try #require(Self.sides[orientation.rawValue])
        var place = (x: 0, y: 0)
        /// Places a pixel at a distance from a side, whose opposite side is `length` pixels away.
        func put(_ distance: Int, from side: Side, length: Int) {
            switch side {
            case .top: place.y = distance
            case .bottom: place.y = length - 1 - distance
            case .left: place.x = distance
            case .right: place.x = length - 1 - distance
            }
        }
        put(y, from: sides.row, length: stored.height)
        put(x, from: sides.column, length: stored.width)
        return place
    }

    static let sizes = [
        PixelSize(1, 1), PixelSize(1, 7), PixelSize(9, 1), PixelSize(5, 3), PixelSize(2, 65), PixelSize(130, 3),
        PixelSize(67, 70),
    ]

    @Test(arguments: Orientation.allCases, OrientationTests.sizes)
    func `each stored pixel is displayed where EXIF says`(orientation: Orientation, stored: PixelSize) throws {
        let displayed = orientation.displaySize(of: stored)
        var places: Set<PixelSize> = []
        for y in 0..<stored.height {
            for x in 0..<stored.width {
                let expected = try seen(orientation, x: x, y: y, in: stored)
                let found = orientation.displayPosition(x: x, y: y, in: stored)
                #expect(found.x == expected.x && found.y == expected.y, "(\(x), \(y)) of \(stored)")
                places.insert(PixelSize(found.x, found.y))
            }
        }
        #expect(places.count == stored.area, "each stored pixel has its own place")
        #expect(places.allSatisfy { (0..<displayed.width).contains($0.width) })
        #expect(places.allSatisfy { (0..<displayed.height).contains($0.height) })
    }

    @Test(arguments: Orientation.allCases, PixelFormat.allCases)
    func `pixels are turned upright, in every format and size`(orientation: Orientation, format: PixelFormat) throws {
        for stored in Self.sizes {
            let pixels = try PixelBuffer.noise(stored, format, seed: 3)
            let turned = try pixels.upright(from: orientation)
            let displayed = orientation.displaySize(of: stored)
            let levels = pixels.levels
            var expected = levels
            for y in 0..<stored.height {
                for x in 0..<stored.width {
                    let place = try seen(orientation, x: x, y: y, in: stored)
                    for channel in 0..<4 {
                        expected[(place.y * displayed.width + place.x) * 4 + channel] =
                            levels[(y * stored.width + x) * 4 + channel]
                    }
                }
            }
            #expect(turned.size == displayed)
            let isEqual = turned.levels == expected
            #expect(isEqual, "\(stored)")
        }
    }

    @Test(arguments: Orientation.allCases)
    func `turning and turning back changes nothing`(orientation: Orientation) throws {
        let pixels = try PixelBuffer.noise(PixelSize(13, 7), seed: 4)
        let back = try pixels.upright(from: orientation).upright(from: orientation.inverse)
        #expect(back.size == pixels.size)
        #expect(back.levels == pixels.levels)
        #expect(orientation.inverse.inverse == orientation)
    }

    @Test func `width and height are swapped if rows become columns`() {
        let transposed = Orientation.allCases.filter(\.isTransposed)
        #expect(transposed == [.leftMirrored, .right, .rightMirrored, .left])
        for orientation in Orientation.allCases {
            let size = orientation.displaySize(of: PixelSize(4, 3))
            #expect(size == (transposed.contains(orientation) ? PixelSize(3, 4) : PixelSize(4, 3)))
        }
    }

    @Test(arguments: Orientation.allCases)
    func `the opaque and gray flags and the format are kept`(orientation: Orientation) throws {
        let pixels = try PixelBuffer.drawn(PixelSize(3, 2), .rgba16, isOpaque: true, isGray: true) { x, y in
            let gray = Double(x * 1000 + y)
            return [gray, gray, gray, 65_535]
        }
        let turned = try pixels.upright(from: orientation)
        #expect(turned.isOpaque)
        #expect(turned.isGray)
        #expect(turned.format == .rgba16)
    }

    @Test func `upright pixels are not copied`() throws {
        let pixels = try PixelBuffer.noise(PixelSize(13, 7), seed: 5)
        let same = try pixels.upright(from: .up)
        let isSame = same.storage === pixels.storage
        #expect(isSame)
    }

    @Test func `turning stops when its job is cancelled`() async throws {
        let pixels = try PixelBuffer.noise(PixelSize(13, 7), seed: 6)
        let job = Job()
        job.cancel()
        let error = await imageError { try pixels.upright(from: .left, job: job) }
        #expect(error?.code == .cancelled)
    }
}
