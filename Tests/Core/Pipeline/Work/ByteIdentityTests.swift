import CalotypeTesting
import Testing

@testable import Calotype

/// Texts that are equal in Unicode, but have different bytes. They are different to servers and transformers, and so
/// are different work.
@Suite(.timeLimit(.minutes(5)))
struct ByteIdentityTests {
    private static let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")

    private static let note = ContextKey(
        "byteIdentityNote", default: "", affects: [.transfer, .pixels, .stored], summary: "A text."
    ) { $0 }

    private static func resolved(_ text: String) throws -> ResolvedRequest {
        try ResolvedRequest(
            url: Bench.url, layers: [(.request, [.set(note, to: text)])], stateID: 0, channels: EventChannels())
    }

    @Test func `requests whose texts differ only in bytes share no work`() throws {
        let (one, other) = (try Self.resolved(Self.composed), try Self.resolved(Self.decomposed))
        let same = try Self.resolved(Self.composed)
        #expect(one.transfer != other.transfer)
        #expect(one.transfer == same.transfer)
        #expect(one.variant != other.variant)
        let changes = CacheChanges()
        let decode = DecodeKey(one, after: changes)
        #expect(decode != DecodeKey(other, after: changes))
        #expect(decode == DecodeKey(same, after: changes))
        func transform(_ steps: [String]) -> TransformKey { TransformKey(decode: decode, steps: steps) }
        #expect(transform([Self.composed]) != transform([Self.decomposed]))
        #expect(transform([Self.composed]) == transform([Self.composed]))
        #expect(transform([]) != transform([Self.composed]))
    }

    @Test(arguments: [[.pixels], [.transfer, .stored]] as [ContextEffects])
    func `a larger size is not reused if the contexts differ only in bytes`(effects: ContextEffects) async throws {
        let key = ContextKey("byteIdentitySize", default: "", affects: effects, summary: "A text.") { $0 }
        let bench = Bench()
        func request(_ side: Int, _ text: String) -> ImageRequest {
            bench.request([.thumbnailPixelSize(side, side), .allowLargerCached, .set(key, to: text)])
        }
        func found(_ text: String) async throws -> [PixelSize?] {
            let resolved = try await bench.manager.resolved(of: request(10, text))
            let larger = bench.manager.pipeline.larger(resolved, in: bench.cache)
            return [
                larger.flatMap { bench.cache.peek(at: $0)?.size }, bench.manager.pipeline.otherSize(resolved)?.size,
            ]
        }
        _ = try await bench.manager.image(for: request(20, Self.composed))
        #expect(try await found(Self.composed) == [PixelSize(20, 15), PixelSize(20, 15)])
        #expect(try await found(Self.decomposed) == [nil, nil])
    }

    @Test func `a value that only looks like the default is part of identities`() throws {
        let key = ContextKey("byteIdentityDefault", default: "\u{c5}", affects: .pixels, summary: "A text.") { $0 }
        func identity(_ text: String) -> String { ResolvedContext([.set(key, to: text)]).identity(of: .pixels).full }
        #expect(identity("\u{c5}").isEmpty)
        #expect(identity("A\u{30a}") == "byteIdentityDefault=A\u{30a}")
    }

    @Test func `separators in an identity are escaped, whatever combines with them`() {
        #expect(Array("a=\u{338};b".identityEscaped.utf8) == Array("a%3D\u{338}%3Bb".utf8))
        #expect("%|=;".identityEscaped == "%25%7C%3D%3B")
        #expect("%|:=;".escaping("|:=") == "%25%7C%3A%3D;")
        #expect(Array(Self.decomposed.identityEscaped.utf8) == Array(Self.decomposed.utf8))
    }

    @Test func `validators are compared by bytes`() {
        for field in [\Validators.entityTag, \Validators.lastModified] {
            var (one, other) = (Validators(), Validators())
            #expect(one == other)
            one[keyPath: field] = Self.composed
            #expect(one != other)
            other[keyPath: field] = Self.decomposed
            #expect(one != other)
            #expect(Set([one, other]).count == 2)
            other[keyPath: field] = Self.composed
            #expect(one == other)
        }
    }

    @Test func `a failure is remembered only for identical bytes`() {
        let failed = FailedSources(time: ManualTime())
        func source(_ policy: String, _ decoding: String = "") -> FailedSources.Source {
            FailedSources.Source(url: "fake://host/a", policy: policy, decoding: decoding)
        }
        let (loading, decoding) = (
            ImageError(.notFound, stage: .load, message: "is not there"),
            ImageError(.badData, stage: .decode, message: "is damaged")
        )
        failed.note(loading, of: source(Self.composed), for: .seconds(60))
        #expect(failed.failure(of: source(Self.composed)) != nil)
        #expect(failed.failure(of: source(Self.decomposed)) == nil)
        failed.note(decoding, of: source("", Self.composed), for: .seconds(60))
        #expect(failed.failure(of: source("", Self.composed)) != nil)
        #expect(failed.failure(of: source("", Self.decomposed)) == nil)
    }
}
