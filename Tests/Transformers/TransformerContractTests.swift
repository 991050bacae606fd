import Calotype
import CalotypeTesting
import CalotypeTransformers
import Testing

/// The contract of transformers, for each of this module.
@Suite(.timeLimit(.minutes(5)))
struct TransformerContractTests {
    @Test func `anchors that are looked for pass every check`() async {
        for transformer: any Transformer in [
            .crop(to: .aspectRatio(width: 1, height: 1), anchor: .attention),
            .resize(width: 30, height: 30, mode: .fill, anchor: .entropy),
        ] {
            let findings = await checkTransformer(transformer)
            #expect(findings.isEmpty, "\(transformer.key): \(findings)")
        }
    }

    private static let transformers = (TransformerPluginTests.keys + TransformerPluginTests.composers).map(\.0)

    @Test(arguments: transformers.indices)
    func `a transformer passes every check`(index: Int) async {
        let transformer = Self.transformers[index]
        // Other parameters, as far as the list has them.
        let others = Self.transformers.filter { type(of: $0) == type(of: transformer) }
        let findings = await checkTransformer(transformer, others: others)
        #expect(findings.isEmpty, "\(transformer.key): \(findings)")
    }
}
