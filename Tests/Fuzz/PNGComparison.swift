#if PNG && DEFLATE
import CalotypeStandard

/// A comparison of the pictures that libdeflate inflates with those from libpng alone.
struct PNGComparison {
    private let fast = Self.manager(inflatesAtOnce: true)
    private let plain = Self.manager(inflatesAtOnce: false)

    private static func manager(inflatesAtOnce: Bool) -> ImageManager {
        let manager = ImageManager(plugins: [], context: [.off(.imageCache), .maxPixels(1 << 20)])
        manager.registry.coders.add(PNGCoder(inflatesAtOnce: inflatesAtOnce))
        return manager
    }

    /// Decodes a file in both ways, with options that depend on the seed. Throws a ``Difference`` unless both ways
    /// result in the same pixels or in the same error.
    func run(_ data: Data, seed: UInt64) async throws {
        var context: ImageContext = seed.isMultiple(of: 2) ? [.nativeDepth] : []
        if seed.isMultiple(of: 3) { context = context.merging([.allowPartial]) }
        if seed.isMultiple(of: 5) { context = context.merging([.frame(Int(seed % 4))]) }
        let (one, other) = (await outcome(data, context, fast), await outcome(data, context, plain))
        switch (one, other) {
        case (.success(let one), .success(let other)):
            guard one.pixels.layout == other.pixels.layout, Self.pixels(of: one) == Self.pixels(of: other) else {
                throw Difference(description: "seed \(seed): libdeflate and libpng result in different pixels")
            }
        case (.failure(let one), .failure(let other)):
            guard one.code == other.code, one.message == other.message else {
                throw Difference(description: "seed \(seed): with libdeflate '\(one)', with libpng '\(other)'")
            }
        default:
            throw Difference(description: "seed \(seed): with libdeflate \(one), with libpng \(other)")
        }
    }

    private func outcome(
        _ data: Data, _ context: ImageContext, _ manager: ImageManager
    ) async -> Result<Image, ImageError> {
        do throws(ImageError) {
            return .success(try await manager.decode(data, context: context))
        } catch {
            return .failure(error)
        }
    }

    private static func pixels(of image: Image) -> [[UInt8]] {
        (0..<image.height).map { y in
            image.pixels.withRow(y) { (row: RawSpan) in row.withUnsafeBytes { Array($0) } }
        }
    }

    struct Difference: Error, CustomStringConvertible {
        let description: String
    }
}
#endif
