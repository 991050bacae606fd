import CalotypeTesting
import Foundation
import Testing

@testable import Calotype

/// A transformer such as a plugin would declare it.
private struct Caption: RecipeTransformer {
    var text = ""
    var size = 24.0
    var lines = 1
    var color = PixelColor.black

    static let recipe = TransformerRecipe(
        "caption", defaults: Caption(), summary: "Writes a text.",
        parameters: [
            .required("text", \.text, summary: "The text."),
            .optional("size", \.size, in: 1...500, isLabeled: false, summary: "The height in pixels."),
            .optional("lines", \.lines, in: 1...Int.max, summary: "The number of lines."),
            .optional("color", \.color, summary: "The color."),
        ])

    func transform(_ image: Image, context: TransformContext) throws -> Image { image }
}

@Suite(.timeLimit(.minutes(5)))
struct RecipeTransformerTests {
    private let manager = ImageManager(context: [.off(.imageCache)])

    private func made(_ recipe: String) throws -> Caption {
        manager.registry.transformers.add(Caption.self)
        return try #require(try manager.registry.transformers(recipe: recipe).first as? Caption)
    }

    @Test func `a key has the unlabeled arguments, and the labeled ones that are not the default`() {
        #expect(Caption(text: "hi").key == "caption(hi,24)")
        #expect(Caption(text: "a|b, c", size: 7.5, lines: 3).key == #"caption("a|b, c",7.5,lines=3)"#)
        #expect(Caption(color: .white).key == ##"caption("",24,color=#ffffff)"##)
    }

    @Test func `a key parses back`() throws {
        let captions = [
            Caption(), Caption(text: #"say "x\y", a=b|c(d)"#, size: 1.25, lines: 9), Caption(text: " ", color: .clear),
            Caption(text: "x", color: PixelColor(red: 0.1, green: 0.2, blue: 0.3)),
        ]
        for caption in captions {
            let parsed = try made(caption.key)
            #expect(parsed.key == caption.key)
            #expect(parsed.text == caption.text)
            #expect(parsed.size == caption.size)
            #expect(parsed.lines == caption.lines)
            #expect(parsed.color == caption.color)
        }
    }

    @Test func `a recipe describes its parameters`() {
        let recipe = Caption.recipe
        #expect(recipe.syntax == "caption(text[,size][,lines=...][,color=...])")
        #expect(recipe.parameters.map(\.name) == ["text", "size", "lines", "color"])
        #expect(recipe.parameters.map(\.defaultText) == [nil, "24", "1", "#000000"])
        #expect(recipe.parameters.map(\.isLabeled) == [false, false, true, true])
        #expect(
            recipe.parameters.map(\.syntax) == [
                "text", "a number, 1 to 500", "a whole number, at least 1", "#rrggbb or #rrggbbaa",
            ])
    }

    @Test(arguments: [
        ("caption(hi,0.5)", 12, "size must be a number, 1 to 500, not '0.5'"),
        ("caption(hi,nan)", 12, "size must be a number, 1 to 500, not 'nan'"),
        ("caption(hi,lines=0)", 18, "lines must be a whole number, at least 1, not '0'"),
    ])
    func `a value outside its range is an error`(recipe: String, position: Int, problem: String) async {
        let error = await imageError { try made(recipe) }
        #expect(error?.message == "the recipe is invalid at character \(position): \(problem)")
        #expect(error?.component == "caption")
    }

    @Test(arguments: ["Resize(8x8)", "blur(3)", "resize(8x8)|blur(3)"])
    func `the error for an unknown name lists the known ones`(recipe: String) async {
        let error = await imageError { try made(recipe) }
        #expect(error?.code == .transformFailed)
        #expect(error?.message.hasSuffix("is not an installed transformer") == true)
        #expect(error?.advice == "use one of: caption, resize")
    }

    @Test func `the newest transformer of a name is used`() throws {
        let registry = manager.registry
        struct Other: RecipeTransformer {
            var size = PixelSize(1, 1)
            static let recipe = TransformerRecipe(
                "resize", defaults: Other(), summary: "Something else.",
                parameters: [.optional("size", \.size, isLabeled: false, summary: "A size.")])
            func transform(_ image: Image, context: TransformContext) throws -> Image { image }
        }
        let token = registry.transformers.add(Other.self)
        #expect(try registry.transformers(recipe: "resize").first is Other)
        registry.transformers.remove(token)
        #expect(try registry.transformers(recipe: "resize(1x1)").first is ResizeTransformer)
    }

    @Test(arguments: [Double.nan, .infinity, -1, 0, 501])
    func `a value that code sets outside its range is refused before anything is loaded`(size: Double) async {
        let loader = FakeImageLoader()
        manager.registry.loaders.add(loader)
        let request = ImageRequest("fake://a", context: [.transformer(Caption(text: "hi", size: size))])
        let error = await imageError { try await manager.image(for: request) }
        #expect(error?.code == .transformFailed)
        #expect(error?.component == "caption")
        #expect(error?.message == "size must be a number, 1 to 500, not '\(size.contextText)'")
        #expect(error?.advice == "change size")
        #expect(loader.loadCount == 0)
        // Bytes are not decoded either: these would be an unknown format.
        let decoding = await imageError {
            try await manager.decode(Data([1, 2, 3]), context: [.transformer(Caption(text: "hi", size: size))])
        }
        #expect(decoding?.code == .transformFailed)
    }

    @Test func `more than a hundred transformers are refused`() async {
        let steps = (0...100).map { FakeTransformer(key: "step\($0)") }
        let request = ImageRequest("fake://a", context: [.transformers(steps)])
        let error = await imageError { try await manager.image(for: request) }
        #expect(error?.code == .transformFailed)
        #expect(error?.message == "there are 101 transformers, more than 100")
    }
}
