import Calotype
import CalotypeTransformers
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TransformerPluginTests {
    private let registry = ImageManager(plugins: [.transformers], context: [.off(.imageCache)]).registry

    /// Transformers with the text of their recipe.
    static let keys: [(any Transformer, String)] = [
        (.crop(x: 1, y: 2, width: 30, height: 40), "crop(30x40+1+2)"),
        (.crop(to: .aspectRatio(width: 16, height: 9), anchor: .top), "crop(16:9,anchor=top)"),
        (.flip(), "flip(horizontal)"), (.flip(.both), "flip(both)"),
        (.roundedCorners(radius: 12), "round(12)"),
        (
            .roundedCorners(radius: .percent(50), corners: [.topLeft, .topRight], borderWidth: 2, borderColor: .white),
            "round(50%,corners=topLeft+topRight,border=2,color=#ffffff)"
        ),
        (.trim(), "trim(0.04)"), (.trim(tolerance: 0, color: .white), "trim(0,color=#ffffff)"),
        (.extend(.margins(Margins(20))), "extend(20,color)"),
        (
            .extend(.size(PixelSize(80, 60)), edge: .blur, anchor: .top, background: .black, sigma: 9),
            "extend(80x60,blur,anchor=top,background=#000000,sigma=9)"
        ),
        (.rotate(degrees: 7), "rotate(7,grow)"),
        (.rotate(degrees: -0.5, canvas: .keep, background: .white), "rotate(-0.5,keep,background=#ffffff)"),
        (.blur(sigma: 2.5), "blur(2.5)"), (.sharpen(), "sharpen(1)"),
        (.sharpen(amount: 2, sigma: 3, threshold: 0.1), "sharpen(2,sigma=3,threshold=0.1)"),
        (.pixelate(size: 8), "pixelate(8)"), (.gamma(2.2), "gamma(2.2)"), (.exposure(stops: -1), "exposure(-1)"),
        (.circle(), "circle()"), (.circle(anchor: Anchor(x: 0.5, y: 0.25)), "circle(anchor=0.5:0.25)"),
        (.grayscale(), "grayscale(1)"), (.sepia(0.5), "sepia(0.5)"), (.invert(), "invert(1)"),
        (.brightness(1.5), "brightness(1.5)"), (.contrast(0.5), "contrast(0.5)"), (.saturation(2), "saturation(2)"),
        (.hue(degrees: -90), "hue(-90)"), (.duotone(dark: .black, light: .white), "duotone(#000000,#ffffff)"),
        (.colorMatrix(.identity), "colorMatrix(1:0:0:0:0:0:1:0:0:0:0:0:1:0:0:0:0:0:1:0)"),
        (.tint(PixelColor(red: 1, green: 0, blue: 0)), "tint(#ff0000,sourceIn)"),
        (.tint(.black, mode: .colorBurn), "tint(#000000,colorBurn)"), (.flatten(), "flatten(#ffffff)"),
        (.gradient(.black), "gradient(#000000,180)"),
        (
            .gradient(.white, degrees: 90, start: 0.25, end: 0.5, mode: .screen),
            "gradient(#ffffff,90,start=0.25,end=0.5,mode=screen)"
        ),
    ]

    /// Transformers that need other images, with the text of their recipe.
    static let composers: [(any Transformer, String)] = [
        (.overlay(URL(filePath: "/logo.png")), "overlay(file:///logo.png,center)"),
        (
            .overlay(
                URL(filePath: "/logo.png"), anchor: .top, margin: 5, width: .percent(20), opacity: 0.5, mode: .screen,
                tiled: true),
            "overlay(file:///logo.png,top,margin=5,width=20%,opacity=0.5,mode=screen,tiled=true)"
        ),
        (.mask(URL(filePath: "/mask.png")), "mask(file:///mask.png,auto)"),
    ]

    @Test func `every transformer has a key that makes it again`() throws {
        var names: Set<String> = ["resize"]
        for (transformer, key) in Self.keys + Self.composers {
            #expect(transformer.key == key)
            let made = try registry.transformers(recipe: key)
            #expect(made.map(\.key) == [key])
            let types = made.map { String(describing: type(of: $0)) }
            #expect(types == [String(describing: type(of: transformer))])
            names.insert(String(key.prefix { $0 != "(" }))
        }
        #expect(names == Set(registry.transformers.elements.map(Self.name)))
    }

    @Test func `a chain of eight has a key of all eight, and their combined result`() async throws {
        let recipe =
            "resize(100x100,fit)|flip(both)|round(50,border=1,color=#ff0000)|flip(horizontal)|crop(50x50+0+0)"
            + "|tint(#00000000,sourceIn)|brightness(0.5)|invert(1)"
        let steps = try registry.transformers(recipe: recipe)
        #expect(steps.map(\.key).joined(separator: "|") == recipe)
        var image = Image(pixels: try PixelBuffer.drawn(PixelSize(300, 300)) { _, _ in .white })
        for step in steps { image = try step.transform(image, context: TransformContext()) }
        #expect(image.size == PixelSize(50, 50))
        // White, halved and inverted, inside the rounded corner.
        #expect(image.pixels.color(x: 45, y: 45).channels.map { ($0 * 255).rounded() } == [127, 127, 127, 255])
        #expect(image.pixels.color(x: 0, y: 0).alpha == 0)
    }

    @Test(arguments: TransformerPluginTests.keys.indices)
    func `a cancelled transformer ends`(index: Int) throws {
        let (transformer, key) = Self.keys[index]
        let job = Job()
        job.cancel()
        let image = Image(pixels: try PixelBuffer.drawn(PixelSize(70, 50)) { x, _ in x < 5 ? .clear : .white })
        let identities = ["colorMatrix(1:0:0:0:0:0:1:0:0:0:0:0:1:0:0:0:0:0:1:0)"]
        guard !identities.contains(key) else { return }
        #expect(throws: ImageError.self, "\(key)") {
            try transformer.transform(image, context: TransformContext(job: job))
        }
    }

    @Test func `invalid parameters are errors, also without a request`() throws {
        let image = Image(pixels: try PixelBuffer.drawn(PixelSize(4, 4)) { _, _ in .white })
        let transformers: [any Transformer] = [
            .blur(sigma: .infinity), .blur(sigma: .nan), .blur(sigma: -1), .blur(sigma: 1e300),
            .sharpen(amount: .nan), .sharpen(sigma: .infinity), .pixelate(size: .max), .pixelate(size: 0),
            .rotate(degrees: .nan), .rotate(degrees: .infinity), .gamma(0), .gamma(.nan), .exposure(stops: .infinity),
            .trim(tolerance: .nan), .extend(.margins(Margins(-1)), edge: .copy), .extend(.margins(Margins(.max))),
            .extend(.aspectRatio(width: 0, height: 1)), .extend(.margins(Margins(1)), sigma: .nan),
        ]
        for transformer in transformers {
            let error = #expect(throws: ImageError.self, "\(transformer.key)") {
                try transformer.transform(image, context: TransformContext())
            }
            #expect(error?.code == .transformFailed)
        }
    }

    private static func name(of type: any RecipeTransformer.Type) -> String { name(type) }
    private static func name<Kind: RecipeTransformer>(_ type: Kind.Type) -> String { type.recipe.name }
}
