import CalotypeTesting
import CalotypeTransformers
import Testing

@testable import Calotype

/// Transformers that are done while the picture is decoded.
@Suite(.timeLimit(.minutes(5)))
struct FusionTests {
    private let manager: ImageManager

    init() {
        manager = ImageManager(plugins: [.transformers], context: [.off(.imageCache)])
        manager.registry.coders.add(RawImageCoder())
    }

    /// Transformers after this one are applied to the decoded picture.
    private static let barrier = CustomTransformer("nothing") { image, _ in image }

    private func file(_ header: RawImageCoder.Header, seed: UInt64 = 1) -> Data {
        var random = SplitMix64(seed: seed)
        return RawImageCoder.file(header) { _, _, _ in
            let bits = random.next()
            let channels = [bits, bits >> 8, bits >> 16, bits >> 24].map { UInt8(truncatingIfNeeded: $0) }
            return SIMD4(channels[0], channels[1], channels[2], header.isOpaque ? 255 : channels[3])
        }
    }

    /// Decodes a file with the transformers done while decoding, and with the same transformers done afterwards.
    private func decoded(
        _ file: Data, _ recipe: String, _ context: ImageContext = []
    ) async throws -> (fused: Image, plain: Image) {
        let steps = try manager.registry.transformers(recipe: recipe)
        return (
            try await manager.decode(file, context: context.merging([.transformers(steps)])),
            try await manager.decode(file, context: context.merging([.transformers([Self.barrier] + steps)]))
        )
    }

    private static let recipes = [
        "resize(20x12,fill)", "resize(20x12,fill,anchor=topLeft)", "resize(13x0)", "resize(20x12,stretch)",
        "resize(80x90,fill)", "resize(90x70,fill,enlarging=false)", "resize(47x61,fill,anchor=0.2:0.7)",
        "resize(20x12,fill,linear=true)", "resize(20x12,fill,filter=nearest)", "crop(17x9+5+3)", "crop(17x9-5-3)",
        "crop(16:9)|resize(9x5,fill,filter=mitchell)", "resize(20x15,fill)|crop(7x6+3+2)",
        "crop(30x20+4+1)|resize(11x13,fill,anchor=0.3:0.9)|crop(1:1)", "resize(20x20,pad,background=#ff0000)",
        "crop(20x20,anchor=bottomRight)|flip(horizontal)|resize(5x5)", "resize(30x30)|resize(7x7,fill)",
        "crop(20x30,anchor=attention)|resize(9x9,fill,anchor=entropy)",
    ]

    /// If a pixel lies at both ends of a box, only one end counts, which depends on the direction.
    private static let directed = ["crop(16:9)|resize(9x5,fill,filter=box)"]

    @Test(arguments: recipes + directed, [8, 16])
    func `the result is the same as after decoding`(recipe: String, bitDepth: Int) async throws {
        for isOpaque in [false, true] {
            var header = RawImageCoder.Header(width: 61, height: 47)
            (header.bitsPerChannel, header.isOpaque) = (bitDepth, isOpaque)
            let (fused, plain) = try await decoded(file(header), recipe, [.nativeDepth])
            #expect(fused.pixels.layout == plain.pixels.layout)
            #expect(fused.pixels.bytes == plain.pixels.bytes)
        }
    }

    @Test(arguments: recipes, Orientation.allCases)
    func `turned pictures have the same result`(recipe: String, orientation: Orientation) async throws {
        var header = RawImageCoder.Header(width: 61, height: 47)
        header.orientation = orientation.rawValue
        for context: ImageContext in [[], [.keepsOrientation]] {
            let (fused, plain) = try await decoded(file(header), recipe, context)
            #expect(fused.attributes == plain.attributes)
            #expect(fused.size == plain.size)
            // Weights are rounded in the direction in which pixels are stored.
            let differences = zip(fused.pixels.bytes, plain.pixels.bytes).map { abs(Double($0) - Double($1)) }
            #expect(differences.allSatisfy { $0 <= 3 })
            #expect(differences.reduce(0, +) / Double(differences.count) < 0.3)
        }
    }

    @Test(arguments: ["resize(20x12,fill)", "crop(30x20+4+1)|resize(7x5)"])
    func `all frames of an animation are transformed, also if they are preloaded`(recipe: String) async throws {
        var header = RawImageCoder.Header(width: 61, height: 47)
        header.frameCount = 3
        for context: ImageContext in [[], [.preloadsFrames], [.frame(1)]] {
            let (fused, plain) = try await decoded(file(header), recipe, context)
            #expect(fused.pixels.bytes == plain.pixels.bytes)
            #expect(fused.frames?.frameCount == plain.frames?.frameCount)
            for index in 0..<(fused.frames?.frameCount ?? 0) {
                #expect(
                    try fused.still(ofFrame: index, job: Job()).pixels.bytes
                        == plain.still(ofFrame: index, job: Job()).pixels.bytes)
            }
        }
        let (fused, _) = try await decoded(file(header), recipe, [.transformsAnimations(false)])
        #expect(fused.size == PixelSize(61, 47))
    }

    @Test func `frames are preloaded`() async throws {
        var header = RawImageCoder.Header(width: 61, height: 47)
        header.frameCount = 3
        let coder = RawImageCoder()
        manager.registry.coders.add(coder)
        let image = try await manager.decode(
            file(header), context: [.transformer(.resize(width: 9, height: 9)), .preloadsFrames])
        let count = coder.decodeCount
        #expect(count >= 3)
        for index in 0..<3 { _ = try image.still(ofFrame: index, job: Job()) }
        #expect(coder.decodeCount == count)
    }

    @Test func `missing rows of a damaged picture are transparent in the same way`() async throws {
        let whole = file(RawImageCoder.Header(width: 61, height: 47))
        for recipe in ["resize(20x12,fill)", "crop(30x40+4+1)|resize(7x5)", "crop(9x9+1+37)"] {
            let (fused, plain) = try await decoded(whole.dropLast(61 * 4 * 20), recipe, [.allowPartial])
            #expect(fused.attributes.isPartial)
            #expect(fused.pixels.bytes == plain.pixels.bytes)
        }
    }

    @Test(arguments: [
        ("resize(200x200,fill)", PixelSize(267, 200)), ("resize(0x300)", PixelSize(400, 300)),
        ("resize(200x200,stretch)", PixelSize(200, 200)), ("resize(200x200,pad)", PixelSize(200, 150)),
        ("resize(9000x9000)", PixelSize(4000, 3000)), ("crop(1000x1000+0+0)|resize(100x100)", PixelSize(400, 300)),
        ("resize(400x300)|crop(10x10+0+0)", PixelSize(400, 300)), ("crop(10x10+0+0)", PixelSize(4000, 3000)),
        ("resize(200x200,fill,anchor=attention)", PixelSize(4000, 3000)),
        ("flip(horizontal)|resize(200x200,fill)", PixelSize(4000, 3000)),
    ])
    func `a decoder is told the size that is needed`(recipe: String, size: PixelSize) throws {
        let steps = try manager.registry.transformers(recipe: recipe)
        let context = ResolvedContext(layers: [(.request, [.transformers(steps)])])
        var info = ImageInfo(format: .jpeg, pixelSize: PixelSize(4000, 3000), hasAlpha: false)
        #expect(DecodeOptions(context).targetSize(of: info) == size)
        (info.orientation, info.pixelSize) = (Orientation.right, PixelSize(3000, 4000))
        #expect(DecodeOptions(context).targetSize(of: info) == size.transposed)
    }

    @Test func `errors are those of the transformers`() async throws {
        let file = file(RawImageCoder.Header(width: 61, height: 47))
        let cases: [([any Transformer], ImageContext)] = [
            ([.crop(x: 100, y: 0, width: 9, height: 9)], []),
            ([.resize(width: 20, height: 20), .crop(x: 30, y: 0, width: 9, height: 9)], []),
            ([.resize(width: 0, height: 0)], []), ([.resize(width: 0, height: 9, mode: .fill)], []),
            ([.resize(width: 200, height: 200, mode: .fill)], [.maxSidePixels(100)]),
            ([.resize(width: 300, height: 300)], [.maxPixels(10_000)]),
            ([.crop(x: 1, y: 1, width: 4, height: 4), .resize(width: .max, height: .max)], []),
            ([.resize(width: .max, height: .max, mode: .fill), .crop(x: 0, y: 0, width: 4, height: 4)], []),
        ]
        for (steps, context) in cases {
            let fused = await error(of: file, context.merging([.transformers(steps)]))
            let plain = await error(of: file, context.merging([.transformers([Self.barrier] + steps)]))
            #expect(fused?.code == plain?.code)
            #expect(fused?.stage == .transform)
            #expect(fused?.message == plain?.message)
            #expect(fused?.component == plain?.component)
        }
    }

    private func error(of file: Data, _ context: ImageContext) async -> ImageError? {
        do {
            _ = try await manager.decode(file, context: context)
            return nil
        } catch {
            return error
        }
    }
}
