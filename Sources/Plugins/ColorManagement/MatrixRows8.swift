#if COLOR
import CKernels
import Calotype

/// A converter for colors of eight bits that uses tables and a matrix.
struct MatrixRows8: KeptRowConverter {
    /// The `shares` of `ck_color8`.
    private let shares: [Int32]
    private let levels: CurveTables<UInt8>

    /// The maximum difference of levels between neighboring amounts of light. Rounding an amount then adds at most a
    /// fifth of a level to the half level by which results are rounded.
    private static let maxStep = 0.4
    /// The maximum of a share, as a multiple of full light. Three of them fit into 32 bits.
    private static let maxShare = 8.0

    /// Tabulates a conversion. Returns nil if the tables would not be precise enough.
    init?(_ conversion: MatrixConversion) {
        guard let shares = Self.shares(of: conversion), let levels = CurveTables(conversion.levels, list: Self.levels)
        else { return nil }
        self.shares = shares
        self.levels = levels
    }

    var byteCount: Int { shares.count * MemoryLayout<Int32>.stride + levels.byteCount }

    func convert(_ row: inout MutableRawSpan) {
        row.withUnsafeMutableBytes { row in
            guard let pixels = row.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            shares.withUnsafeBufferPointer { shares in
                levels.withPointers { levels in
                    var color = ck_color8(shares: shares.baseAddress!, levels: levels)
                    ck_convert_color8(&color, pixels, row.count / PixelFormat.rgba8.bytesPerPixel)
                }
            }
        }
    }

    private static func shares(of conversion: MatrixConversion) -> [Int32]? {
        let full = Double(CK_COLOR_LIGHT << CK_COLOR8_FRACTION)
        let half = 0.5 * Double(1 << CK_COLOR8_FRACTION)
        var shares: [Int32] = []
        shares.reserveCapacity(3 * 256 * 4)
        for channel in 0..<3 {
            let rounding = channel == 0 ? half : 0
            for level in 0...255 {
                let light = conversion.light[channel].value(at: Double(level) / 255)
                for row in conversion.matrix {
                    let share = light * row[channel]
                    guard abs(share) < maxShare else { return nil }
                    shares.append(Int32((share * full + rounding).rounded()))
                }
                shares.append(0)
            }
        }
        return shares
    }

    private static func levels(of curve: LittleCMSCurve) -> [UInt8]? {
        var last = 0.0
        var levels: [UInt8] = []
        levels.reserveCapacity(CK_COLOR_LIGHT + 1)
        for light in 0...CK_COLOR_LIGHT {
            let level = 255 * curve.value(at: Double(light) / Double(CK_COLOR_LIGHT))
            guard abs(level - last) <= maxStep else { return nil }
            last = level
            levels.append(UInt8(min(max(level.rounded(), 0), 255)))
        }
        return levels
    }
}
#endif
