#if HEIF
import Calotype
import CalotypeHEIF
import CoderKit
import Foundation
import Testing

/// Limits count all decoded pixels, including those that are not displayed.
@Suite(.timeLimit(.minutes(5)))
struct HEIFLimitTests {
    private let manager = ImageManager(plugins: [.heif], context: [.off(.imageCache)])

    @Test(arguments: ["heic-cropped-pixel", "avif-cropped-pixel"])
    func `a picture cropped to one pixel counts in full`(_ name: String) async throws {
        let data = try HEIFFixture.named(name).data()
        #expect(try await manager.info(of: data).pixelSize == PixelSize(1, 1))
        let error = await #expect(throws: ImageError.self) {
            try await manager.info(of: data, context: [.maxPixels(10)])
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: ["odd-alpha-larger.heic", "odd-alpha-larger.avif"])
    func `alpha counts as a picture of its own`(_ file: String) async throws {
        let data = try HEIFFixture.directory.data(file)
        let size = try await manager.info(of: data).pixelSize
        let error = await #expect(throws: ImageError.self) {
            try await manager.info(of: data, context: [.maxPixels(size.area)])
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: ["heic-icc", "avif-icc"])
    func `a profile that is too long is refused`(_ name: String) async throws {
        let data = try HEIFFixture.named(name).data()
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(data, context: [.maxProfileBytes(100)])
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.advice?.contains("maxProfileBytes") == true)
    }

    @Test(arguments: ["heic-xmp", "avif-exif"])
    func `metadata over the limit is refused if requested`(_ name: String) async throws {
        let data = try HEIFFixture.named(name).data()
        let error = await #expect(throws: ImageError.self) {
            try await manager.decode(data, context: [.maxMetadataBytes(10), .keepsMetadata])
        }
        #expect(error?.code == .limitExceeded)
        _ = try await manager.decode(data, context: [.maxMetadataBytes(10)])
    }

    @Test(arguments: ["odd-metadata-amplified.heic", "odd-xmp-deflated-bomb.heic", "odd-xmp-raw-deflated-bomb.heic"])
    func `compressed metadata is not inflated`(_ file: String) async throws {
        let info = try await manager.info(of: try HEIFFixture.directory.data(file), context: [.keepsMetadata])
        #expect(info.metadata.byteCount < 1 << 16)
    }
}
#endif
