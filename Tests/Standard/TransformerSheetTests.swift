import CalotypeStandard
import Foundation
import Testing

/// The document with a picture for each transformer.
@Suite(.timeLimit(.minutes(5)))
struct TransformerSheetTests {
    private static let documentation = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Documentation")

    @Test func `every recipe is valid and has its picture, and every transformer has a recipe`() throws {
        let text = try String(contentsOf: Self.documentation.appending(path: "Transformers.md"), encoding: .utf8)
        let registry = ImageManager(plugins: [.standard], context: [.off(.imageCache)]).registry
        var names: Set<String> = []
        for cell in text.split(separator: "![](").dropFirst() {
            let path = String(cell.prefix { $0 != ")" })
            #expect(FileManager.default.fileExists(atPath: Self.documentation.appending(path: path).path), "\(path)")
            let written = try #require(cell.split(separator: "`").dropFirst().first)
            let steps = try registry.transformers(recipe: String(written).replacingOccurrences(of: "\\|", with: "|"))
            names.formUnion(steps.map { String($0.key.prefix { $0 != "(" }) })
        }
        func name<Step: RecipeTransformer>(_: Step.Type) -> String { Step.recipe.name }
        #expect(names == Set(registry.transformers.elements.map { name($0) }))
    }
}
