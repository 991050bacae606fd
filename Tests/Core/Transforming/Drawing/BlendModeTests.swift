import CKernels
import CalotypeTesting
import Testing

@testable import Calotype

/// The modes are compared with the formulas of W3C, Compositing and Blending Level 1, in double precision.
@Suite(.timeLimit(.minutes(5)))
struct BlendModeTests {
    private typealias Color = SIMD3<Double>

    /// Returns a pixel drawn over another, both with straight alpha. Source: sections 5, 9 and 10.
    static func blended(_ mode: BlendMode, _ source: [Double], over backdrop: [Double], opacity: Double) -> [Double] {
        let (alpha, below) = (source[3] * opacity, backdrop[3])
        let (sourceColor, backdropColor) = (
            Color(source[0], source[1], source[2]), Color(backdrop[0], backdrop[1], backdrop[2])
        )
        // Section 5.8, Cs' = (1 - ab) Cs + ab B(Cb, Cs).
        let both = mix(mode, backdropColor, sourceColor)
        let mixed: Color = sourceColor * (1 - below) + both * below
        let (sourcePart, backdropPart) = parts(mode, alpha, below)
        // Section 9.1.4, premultiplied.
        let (weight, weightBelow) = (alpha * sourcePart, below * backdropPart)
        var color: Color = mixed * weight + backdropColor * weightBelow
        var whole = weight + weightBelow
        if mode == .lighter {
            color = color.clamped(lowerBound: .zero, upperBound: .one)
            whole = min(whole, 1)
        }
        guard whole > 0 else { return [0, 0, 0, 0] }
        return [color.x / whole, color.y / whole, color.z / whole, whole]
    }

    /// Returns the parts of the source and the backdrop, Fa and Fb of section 9.1.
    private static func parts(_ mode: BlendMode, _ source: Double, _ backdrop: Double) -> (Double, Double) {
        switch mode {
        case .clear: (0, 0)
        case .copy: (1, 0)
        case .sourceIn: (backdrop, 0)
        case .sourceOut: (1 - backdrop, 0)
        case .sourceAtop: (backdrop, 1 - source)
        case .destinationOver: (1 - backdrop, 1)
        case .destinationIn: (0, source)
        case .destinationOut: (0, 1 - source)
        case .destinationAtop: (1 - backdrop, source)
        case .xor: (1 - backdrop, 1 - source)
        case .lighter: (1, 1)
        default: (1, 1 - source)
        }
    }

    /// Returns the blend function B of sections 10.1 and 10.2.
    private static func mix(_ mode: BlendMode, _ backdrop: Color, _ source: Color) -> Color {
        func each(_ body: (_ backdrop: Double, _ source: Double) -> Double) -> Color {
            Color(body(backdrop.x, source.x), body(backdrop.y, source.y), body(backdrop.z, source.z))
        }
        func hardLight(_ cb: Double, _ cs: Double) -> Double {
            let double: Double = 2 * cs
            return cs <= 0.5 ? cb * double : cb + (double - 1) - cb * (double - 1)
        }
        switch mode {
        case .multiply: return each { $0 * $1 }
        case .screen: return each { 1 - (1 - $0) * (1 - $1) }
        case .overlay: return each { hardLight($1, $0) }
        case .darken: return each { min($0, $1) }
        case .lighten: return each { max($0, $1) }
        case .colorDodge: return each { $0 == 0 ? 0 : $1 == 1 ? 1 : min(1, $0 / (1 - $1)) }
        case .colorBurn: return each { $0 == 1 ? 1 : $1 == 0 ? 0 : 1 - min(1, (1 - $0) / $1) }
        case .hardLight: return each(hardLight)
        case .softLight:
            return each { cb, cs in
                let light: Double = cb <= 0.25 ? ((16 * cb - 12) * cb + 4) * cb : cb.squareRoot()
                let factor: Double = 2 * cs - 1
                return factor <= 0 ? cb + factor * cb * (1 - cb) : cb + factor * (light - cb)
            }
        case .difference: return each { abs($0 - $1) }
        case .exclusion: return each { $0 + $1 - 2 * $0 * $1 }
        case .hue: return setLum(setSat(source, sat(backdrop)), lum(backdrop))
        case .saturation: return setLum(setSat(backdrop, sat(source)), lum(backdrop))
        case .color: return setLum(source, lum(backdrop))
        case .luminosity: return setLum(backdrop, lum(source))
        default: return source
        }
    }

    private static func lum(_ color: Color) -> Double { (color * Color(0.3, 0.59, 0.11)).sum() }
    private static func sat(_ color: Color) -> Double { color.max() - color.min() }

    private static func setLum(_ color: Color, _ wanted: Double) -> Color {
        let moved: Color = color + (wanted - lum(color))
        let (gray, low, high) = (lum(moved), moved.min(), moved.max())
        let difference: Color = moved - gray
        if low < 0, gray > low { return difference * (gray / (gray - low)) + gray }
        if high > 1, high > gray { return difference * ((1 - gray) / (high - gray)) + gray }
        return moved
    }

    private static func setSat(_ color: Color, _ wanted: Double) -> Color {
        let range = sat(color)
        guard range > 0 else { return .zero }
        return (color - color.min()) * (wanted / range)
    }

    /// Channels at and around the points where a formula changes.
    private static let channels = [0, 0.2, 0.25, 0.4, 0.5, 0.6, 0.8, 1]
    private static let alphas = [0, 0.2, 0.6, 1]

    /// Pixels in all pairs of which every alpha meets every other, and channels meet in many combinations.
    private static let pixels: [[Double]] = {
        var pixels: [[Double]] = []
        for alpha in alphas {
            for first in channels.indices {
                for step in [0, 3, 5] {
                    let second = channels[(first + step) % channels.count]
                    let third = channels[(first * 3 + step) % channels.count]
                    pixels.append([channels[first], second, third, alpha])
                }
            }
        }
        return pixels
    }()

    @Test(arguments: BlendMode.allCases, PixelFormat.allCases)
    func `a mode computes its formula`(mode: BlendMode, format: PixelFormat) throws {
        let full = format.fullLevel
        func stored(_ pixel: [Double]) -> [Double] { pixel.map { format == .rgbaFloat ? $0 : ($0 * full).rounded() } }
        let count = Self.pixels.count
        let levels = Self.pixels.map(stored)
        let above = try PixelBuffer.drawn(PixelSize(count, count), format) { x, _ in levels[x] }
        let below = try PixelBuffer.drawn(PixelSize(count, count), format) { _, y in levels[y] }
        let exact = levels.map { $0.map { Double(Float($0)) / full } }
        for opacity in [1, 0.5] {
            var canvas = try PixelBufferBuilder(copying: below)
            try canvas.draw(above, mode: mode, opacity: opacity)
            let drawn = canvas.finish().levels
            var worst = 0.0
            for y in 0..<count {
                for x in 0..<count {
                    let expected = Self.blended(mode, exact[x], over: exact[y], opacity: opacity)
                    let place = (y * count + x) * 4
                    // Transparent pixels may have any color.
                    for channel in expected[3] > 0 ? 0..<4 : 3..<4 {
                        worst = max(worst, abs(drawn[place + channel] - expected[channel] * full))
                    }
                }
            }
            // Integers are rounded; 16 bits and floats have the precision of 24 bits, reduced by divisions.
            #expect(worst <= (format == .rgbaFloat ? 2e-5 : 0.5 + 2e-5 * full), "opacity \(opacity)")
        }
    }

    @Test(arguments: BlendMode.allCases)
    func `a transparent source leaves what it does not touch exactly unchanged`(mode: BlendMode) throws {
        let changing: Set<BlendMode> = [.clear, .copy, .sourceIn, .sourceOut, .destinationIn, .destinationAtop]
        for format in PixelFormat.allCases {
            let below = try PixelBuffer.noise(PixelSize(70, 3), format, seed: 4)
            let above = try PixelBuffer.drawn(below.size, format) { x, _ in [Double(x % 2), 0, 1, 0] }
            var canvas = try PixelBufferBuilder(copying: below)
            try canvas.draw(above, mode: mode)
            let levels = canvas.finish().levels
            #expect((levels == below.levels) == !changing.contains(mode), "\(format)")
        }
    }

    @Test(arguments: BlendMode.allCases)
    func `absurd numbers in floating point do not trap, and integers stay in their range`(mode: BlendMode) throws {
        let values: [Double] = [.nan, .infinity, -.infinity, -3, 1e30, 0, 1, 0.5]
        let absurd = try PixelBuffer.drawn(PixelSize(8, 8), .rgbaFloat) { x, y in
            [values[x], values[y], values[(x + y) % 8], values[(3 * x + y) % 8]]
        }
        for format in PixelFormat.allCases {
            var canvas = try PixelBufferBuilder(copying: PixelBuffer.noise(PixelSize(8, 8), format, seed: 5))
            try canvas.draw(absurd, mode: mode, opacity: 0.7)
            var floats = try PixelBufferBuilder(copying: absurd)
            try floats.draw(canvas.finish(), mode: mode)
            #expect(floats.finish().levels.count == 256)
        }
    }

    @Test func `every mode has its own kernel`() {
        let modes = Set(BlendMode.allCases.map(\.kernelMode.rawValue))
        #expect(modes.count == BlendMode.allCases.count)
    }
}
