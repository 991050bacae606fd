#if JPEG
import Calotype
import Foundation

extension JPEGSegment {
    /// Returns a uniform gray picture of any size in 4:2:0, with one bit for each coefficient symbol.
    static func flatPicture(_ size: PixelSize) -> Data {
        func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
        let quantization: [UInt8] = [0] + Array(repeating: 1, count: 64)
        // One code of one bit: no difference from the previous block, or only zeros to the end of the block.
        func table(_ identifier: UInt8) -> [UInt8] { [identifier, 1] + Array(repeating: 0, count: 15) + [0] }
        let components: [UInt8] = [3, 1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]
        let frame: [UInt8] = [8] + number(size.height) + number(size.width) + components
        let header: [UInt8] = [3, 1, 0, 2, 0, 3, 0, 0, 63, 0]
        let blockCount = (size.width + 15) / 16 * ((size.height + 15) / 16) * 6
        return file([
            JPEGSegment(marker: startOfImage),
            JPEGSegment(marker: 0xDB, body: Data(quantization)),
            JPEGSegment(marker: 0xC4, body: Data(table(0x00) + table(0x10))),
            JPEGSegment(marker: baselineFrame, body: Data(frame)),
            JPEGSegment(marker: startOfScan, body: Data(header), scan: Data(count: (blockCount * 2 + 7) / 8)),
            JPEGSegment(marker: endOfImage),
        ])
    }
}
#endif
