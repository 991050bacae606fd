#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A converter of rows of PQ and HLG pictures to standard dynamic range or to linear light. Primaries do not change.
///
/// In linear light, 1 is white at 203 candelas per square meter, and highlights exceed 1. In standard dynamic range,
/// ``ToneMapping`` compresses highlights, and levels follow the curve of sRGB.
package struct HDRRows {
    /// Whether the output is linear light, as floating point.
    private let keepsLight: Bool
    private let transfer: HDRTransfer
    /// The shares of red, green and blue in luminance, which sum to 1.
    private let luma: SIMD3<Float>
    private let toneMapping: ToneMapping

    /// Creates a converter.
    /// - Parameters:
    ///   - luma: The shares of red and blue in luminance.
    ///   - peak: The peak light of the picture in candelas per square meter; nil if it is not known.
    ///   - keepsLight: Whether the output is linear light.
    package init(_ transfer: HDRTransfer, luma: (red: Double, blue: Double), peak: Int?, keepsLight: Bool) {
        self.transfer = transfer
        self.luma = SIMD3(Float(luma.red), Float(1 - luma.red - luma.blue), Float(luma.blue))
        self.keepsLight = keepsLight
        // HLG is converted for a display with the usual peak, whatever the peak of the picture is.
        toneMapping = ToneMapping(peak: transfer == .pq ? peak.map(Double.init) : nil)
    }

    /// The format of the pixels that come out.
    package var format: PixelFormat { keepsLight ? .rgbaFloat : .rgba16 }

    /// Converts a row with 16 bits per channel.
    /// - Parameters:
    ///   - pixels: The source pixels, as many as fit `target`.
    ///   - target: The row to write, of ``format``.
    package func convert(_ pixels: UnsafePointer<UInt16>, to target: UnsafeMutableRawBufferPointer) {
        let count = target.count / format.bytesPerPixel
        for index in 0..<count {
            let pixel = pixels + 4 * index
            var light = light(pixel)
            let alpha = Float(pixel[3]) / 65_535
            guard !keepsLight else {
                target.storeBytes(
                    of: SIMD4<Float>(light, alpha), toByteOffset: 16 * index, as: SIMD4<Float>.self)
                continue
            }
            light *= toneMapping.factor(ofLargest: largestLevel(pixel, light))
            let levels = target.baseAddress!.assumingMemoryBound(to: UInt16.self) + 4 * index
            for channel in 0..<3 { levels[channel] = Self.level(light[channel]) }
            levels[3] = pixel[3]
        }
    }

    /// Returns the linear red, green and blue light of a pixel on the display, where 1 is ``HDRTransfer/white``.
    private func light(_ pixel: UnsafePointer<UInt16>) -> SIMD3<Float> {
        let (red, green, blue) = (Int(pixel[0]), Int(pixel[1]), Int(pixel[2]))
        switch transfer {
        case .pq:
            return SIMD3(Self.pqLight[red], Self.pqLight[green], Self.pqLight[blue])
        case .hlg:
            let scene = SIMD3(Self.hlgLight[red], Self.hlgLight[green], Self.hlgLight[blue])
            let luminance = (scene * luma).sum()
            return scene * powf(luminance, Float(HDRTransfer.hlgGamma))
                * Float(HDRTransfer.usualPeak / HDRTransfer.white)
        }
    }

    /// Returns the PQ level, 0...1, of the largest of red, green and blue. For HLG, converts the light to a PQ level.
    private func largestLevel(_ pixel: UnsafePointer<UInt16>, _ light: SIMD3<Float>) -> Float {
        switch transfer {
        case .pq: Float(max(pixel[0], pixel[1], pixel[2])) / 65_535
        case .hlg: Float(HDRTransfer.pqLevel(ofLight: Double(light.max())))
        }
    }

    // MARK: Tables

    private static let pqLight: [Float] = (0...65_535).map { Float(HDRTransfer.light(ofPQ: Double($0) / 65_535)) }
    private static let hlgLight: [Float] = (0...65_535).map {
        Float(HDRTransfer.sceneLight(ofHLG: Double($0) / 65_535))
    }

    private static let intervalCount = 4_096
    /// The sRGB levels, 0...65,535, of light from 0 to 1 in equal steps.
    private static let levels: [Float] = (0...intervalCount).map {
        Float(SRGBCurve.level(Double($0) / Double(intervalCount)) * 65_535)
    }

    private static func level(_ light: Float) -> UInt16 {
        let place = min(max(light, 0), 1) * Float(intervalCount)
        let index = min(Int(place), intervalCount - 1)
        let level = levels[index] + (levels[index + 1] - levels[index]) * (place - Float(index))
        return UInt16(min(level + 0.5, 65_535))
    }
}
