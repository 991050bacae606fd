#if COLOR
import CKernels
import Calotype

/// A converter for colors of 16 bits that uses tables and a matrix.
struct MatrixRows16: KeptRowConverter {
    private let light: CurveTables<UInt32>
    private let matrix: [Int32]
    private let levels: CurveTables<UInt32>

    /// The maximum difference between a level halfway between two entries, which is interpolated, and the exact one.
    private static let maxError = 1.0
    /// The limit of the numbers in a matrix.
    private static let maxFactor = 16.0

    /// Tabulates a conversion. Returns nil if the tables would not be precise enough.
    init?(_ conversion: MatrixConversion) {
        let one = Double(1 << CK_COLOR16_MATRIX)
        let matrix = conversion.matrix.flatMap(\.self)
        guard matrix.allSatisfy({ abs($0) < Self.maxFactor }),
            let light = CurveTables(conversion.light, list: Self.light),
            let levels = CurveTables(conversion.levels, list: Self.levels)
        else { return nil }
        self.matrix = matrix.map { Int32(($0 * one).rounded()) }
        self.light = light
        self.levels = levels
    }

    var byteCount: Int { light.byteCount + levels.byteCount }

    func convert(_ row: inout MutableRawSpan) {
        row.withUnsafeMutableBytes { row in
            guard let pixels = row.baseAddress?.assumingMemoryBound(to: UInt16.self) else { return }
            light.withPointers { light in
                levels.withPointers { levels in
                    var color = ck_color16(
                        light: light,
                        matrix: (
                            matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5], matrix[6], matrix[7],
                            matrix[8]
                        ),
                        levels: levels)
                    ck_convert_color16(&color, pixels, row.count / PixelFormat.rgba16.bytesPerPixel)
                }
            }
        }
    }

    private static func light(of curve: LittleCMSCurve) -> [UInt32]? {
        let full = Double(CK_COLOR_LIGHT << CK_COLOR16_FRACTION)
        let light = (0...65535).map { (curve.value(at: Double($0) / 65535) * full).rounded() }
        return light.allSatisfy { 0...Double(UInt32.max) ~= $0 } ? light.map { UInt32($0) } : nil
    }

    private static func levels(of curve: LittleCMSCurve) -> [UInt32]? {
        let one = Double(1 << CK_COLOR16_LEVEL)
        func level(_ light: Double) -> Double {
            min(max(65535 * curve.value(at: light / Double(CK_COLOR_LIGHT)), 0), 65535)
        }
        let levels = (0...CK_COLOR_LIGHT).map { level(Double($0)) }
        for light in 0..<CK_COLOR_LIGHT {
            let interpolated = (levels[light] + levels[light + 1]) / 2
            guard abs(interpolated - level(Double(light) + 0.5)) <= maxError else { return nil }
        }
        return (levels + levels.suffix(1)).map { UInt32(($0 * one).rounded()) }
    }
}
#endif
