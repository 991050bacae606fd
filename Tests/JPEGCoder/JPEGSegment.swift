#if JPEG
import Calotype
import Foundation

/// A segment of a JPEG with the entropy-coded data after it, for tests that disassemble and assemble files.
///
/// Source: ITU-T T.81, annex B.
struct JPEGSegment {
    static let startOfImage: UInt8 = 0xD8
    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA
    /// The frame of a baseline picture.
    static let baselineFrame: UInt8 = 0xC0
    /// The frame of a progressive picture.
    static let progressiveFrame: UInt8 = 0xC2
    /// The marker of EXIF and XMP segments.
    static let application1: UInt8 = 0xE1
    /// The marker of profile segments.
    static let application2: UInt8 = 0xE2

    /// The byte after 0xFF.
    let marker: UInt8
    /// The contents of the segment, without the length.
    var body = Data()
    /// The data of a scan, with the restart markers.
    var scan = Data()

    /// The bytes of the segment in a file.
    var data: Data {
        var bytes = Data([0xFF, marker])
        if marker != Self.startOfImage, marker != Self.endOfImage {
            bytes += Data([UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)]) + body
        }
        return bytes + scan
    }

    /// Returns the segments of a valid file.
    static func all(of file: Data) -> [JPEGSegment] {
        let bytes = [UInt8](file)
        var segments: [JPEGSegment] = []
        var start = 0
        while start + 2 <= bytes.count {
            var segment = JPEGSegment(marker: bytes[start + 1])
            start += 2
            if segment.marker != startOfImage, segment.marker != endOfImage {
                let length = Int(bytes[start]) << 8 | Int(bytes[start + 1])
                segment.body = Data(bytes[start + 2..<start + length])
                start += length
            }
            if segment.marker == startOfScan {
                let end = endOfScan(in: bytes, from: start)
                segment.scan = Data(bytes[start..<end])
                start = end
            }
            segments.append(segment)
        }
        return segments
    }

    /// Returns a profile in parts, numbered from 1. Source: ICC.1:2022, annex B.4.
    static func profileParts(of profile: Data, count: Int) -> [JPEGSegment] {
        let length = (profile.count + count - 1) / count
        return (0..<count).map { index in
            let name = Data("ICC_PROFILE\0".utf8) + Data([UInt8(index + 1), UInt8(count)])
            return JPEGSegment(marker: application2, body: name + profile.dropFirst(index * length).prefix(length))
        }
    }

    /// Returns a segment with an EXIF block, from its byte order mark on.
    static func exif(_ block: Data) -> JPEGSegment {
        JPEGSegment(marker: application1, body: Data("Exif\0\0".utf8) + block)
    }

    /// Returns a segment with an XMP packet.
    static func xmp(_ packet: Data) -> JPEGSegment {
        JPEGSegment(marker: application1, body: Data("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
    }

    /// Returns a file of these segments.
    static func file(_ segments: some Sequence<JPEGSegment>) -> Data {
        segments.reduce(into: Data()) { $0.append($1.data) }
    }

    /// Returns the positions at which the data of each scan begins.
    static func scanStarts(of file: Data) -> [Int] {
        var end = 0
        return all(of: file).compactMap { segment in
            end += segment.data.count
            return segment.marker == startOfScan ? end - segment.scan.count : nil
        }
    }

    /// Returns the position at which each scan is known to have ended: the beginning of the next scan's data, or the
    /// end of the file.
    static func scanEnds(of file: Data) -> [Int] {
        Array(scanStarts(of: file).dropFirst()) + [file.count]
    }

    /// Returns the position of the next marker except restart markers; 0xFF 0x00 is data.
    private static func endOfScan(in bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while end + 1 < bytes.count {
            if bytes[end] == 0xFF, bytes[end + 1] != 0, !(0xD0...0xD7).contains(bytes[end + 1]) { return end }
            end += 1
        }
        return bytes.count
    }
}
#endif
