import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct DecodeLimitsTests {
    /// How a size is refused; nil when it is not.
    private func refusal(of size: PixelSize, _ context: ImageContext = []) -> ImageError? {
        do {
            try DecodeLimits(ResolvedContext(context)).check(size)
            return nil
        } catch {
            return error
        }
    }

    @Test func `sizes up to the limits are let through`() {
        #expect(refusal(of: PixelSize(1, 1)) == nil)
        #expect(refusal(of: PixelSize(65_535, 1)) == nil)
        #expect(refusal(of: PixelSize(16_000, 16_000)) == nil)
        #expect(refusal(of: PixelSize(40, 30), [.maxPixels(1200)]) == nil)
        #expect(refusal(of: PixelSize(40, 30), [.maxSidePixels(40)]) == nil)
    }

    @Test func `a side that is too long is refused with what is allowed`() {
        for size in [PixelSize(41, 1), PixelSize(1, 41)] {
            let error = refusal(of: size, [.maxSidePixels(40)])
            #expect(error?.code == .limitExceeded)
            #expect(error?.stage == .decode)
            #expect(
                error?.description
                    == "\(size) pixels; a side may have 40; "
                    + "raise the context value `maxSidePixels` if the source is trusted")
        }
        #expect(refusal(of: PixelSize(65_536, 1))?.code == .limitExceeded)
    }

    @Test func `too many pixels are refused with what is allowed`() {
        let error = refusal(of: PixelSize(40, 30), [.maxPixels(1199)])
        #expect(error?.code == .limitExceeded)
        #expect(error?.stage == .decode)
        #expect(
            error?.description
                == "40x30 are 1200 pixels; 1199 are allowed; "
                + "raise the context value `maxPixels` if the source is trusted")
        #expect(refusal(of: PixelSize(20_000, 20_000))?.code == .limitExceeded)
    }

    @Test func `more pixels than a number holds are too many`() {
        let limits: ImageContext = [.maxSidePixels(.max), .maxPixels(.max - 1)]
        #expect(refusal(of: PixelSize(.max, .max), limits)?.code == .limitExceeded)
        #expect(refusal(of: PixelSize(.max, 2), limits)?.code == .limitExceeded)
    }

    @Test func `a picture without pixels is damaged, not large`() {
        for size in [PixelSize(0, 0), PixelSize(0, 5), PixelSize(5, 0), PixelSize(-1, 5), PixelSize(5, -1)] {
            let error = refusal(of: size)
            #expect(error?.code == .badData)
            #expect(error?.message == "the picture has no pixels: \(size)")
        }
    }

    @Test func `the limits for bytes of strangers are stricter`() {
        #expect(refusal(of: PixelSize(16_384, 3000), .server) == nil)
        #expect(refusal(of: PixelSize(16_385, 1), .server)?.code == .limitExceeded)
        #expect(refusal(of: PixelSize(8000, 8000), .server)?.code == .limitExceeded)
        #expect(refusal(of: PixelSize(8000, 8000)) == nil)
    }

    @Test func `limits are judged by the header, before any row is decoded`() async throws {
        let bench = Bench()
        for limit: ImageContext in [[.maxPixels(1199)], [.maxSidePixels(39)]] {
            let error = await imageError { try await bench.manager.image(for: bench.request(limit)) }
            #expect(error?.code == .limitExceeded)
        }
        #expect(bench.coder.decodeCount == 0)
    }
}
