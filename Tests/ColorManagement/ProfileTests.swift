#if COLOR
import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeColor

/// The profiles that are converted, those that need no conversion, and those that cannot be converted.
@Suite(.timeLimit(.minutes(5)))
struct ProfileTests {
    private let converter = LittleCMSColorConverter()

    /// Returns a profile whose header names another color space.
    private func profile(_ name: String, claiming space: String) throws -> ColorProfile {
        var data = try Fixture.data(name + ".icc")
        data.replaceSubrange(16..<20, with: Data(space.utf8))
        return .icc(data)
    }

    // MARK: Profiles equal to sRGB

    @Test(arguments: PixelFormat.allCases)
    func `pixels with a profile equal to sRGB are unchanged`(_ format: PixelFormat) throws {
        for (name, isGray) in [("srgb-formula", false), ("srgb-table", false), ("gray-srgb", true)] {
            let conversion = ColorConversion(
                source: try Fixture.profile(name), target: .sRGB, format: format, isGray: isGray)
            let rows = try #require(try converter.rowConverter(for: conversion))
            #expect(rows is UnchangedRows, "\(name)")
            let levels = try Fixture.colors8(isGray: isGray)
            #expect(rows.converted(levels) == levels)
        }
    }

    @Test(arguments: Fixture.profiles)
    func `pixels with another profile are converted`(_ profile: Fixture.Profile) throws {
        for format in PixelFormat.allCases {
            let rows = try #require(try converter.rowConverter(for: profile.conversion(format)))
            #expect(!(rows is UnchangedRows), "\(format)")
        }
    }

    // MARK: Other targets

    @Test func `colors can be converted to another profile and back`() throws {
        let p3 = try Fixture.profile("p3")
        let there = try #require(
            try converter.rowConverter(for: ColorConversion(source: .sRGB, target: p3, format: .rgba16)))
        let back = try #require(
            try converter.rowConverter(for: ColorConversion(source: p3, target: .sRGB, format: .rgba16)))
        let levels = try Fixture.colors16()
        let wide = there.converted(levels)
        #expect(wide != levels)
        // Every sRGB color is within P3.
        let largest = try #require(zip(back.converted(wide), levels).map { abs(Int($0) - Int($1)) }.max())
        #expect(largest <= 16)
    }

    @Test func `gray can be converted to another profile`() throws {
        let conversion = ColorConversion(
            source: try Fixture.profile("gray-gamma"), target: try Fixture.profile("adobe"), format: .rgba8,
            isGray: true)
        let levels = try Fixture.colors8(isGray: true)
        let made = try #require(try converter.rowConverter(for: conversion)).converted(levels)
        // Both have the same gamma.
        #expect(zip(made, levels).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test func `there is no converter for a target that is not RGB`() throws {
        for name in ["cmyk", "gray-gamma"] {
            let conversion = ColorConversion(
                source: try Fixture.profile("p3"), target: try Fixture.profile(name), format: .rgba8)
            #expect(try converter.rowConverter(for: conversion) == nil)
        }
    }

    // MARK: Mismatches

    @Test func `there is no converter for CMYK without a profile`() throws {
        let conversion = ColorConversion(source: .sRGB, target: .sRGB, format: .rgba8, channels: .cmyk)
        #expect(try converter.rowConverter(for: conversion) == nil)
    }

    @Test func `gray rows may have an RGB profile`() throws {
        let conversion = ColorConversion(
            source: try Fixture.profile("adobe"), target: .sRGB, format: .rgba8, isGray: true)
        let made = try #require(try converter.rowConverter(for: conversion)).converted(
            try Fixture.colors8(isGray: true))
        let grays = colors(of: made)
        #expect(stride(from: 0, to: grays.count, by: 3).allSatisfy { grays[$0] == grays[$0 + 1] })
    }

    @Test func `a profile for another color model than the picture's is refused, and both are named`() throws {
        let misfits: [(ColorProfile, RowChannels, Bool, String)] = [
            (try Fixture.profile("cmyk"), .rgba, false, "is for CMYK, but the picture is RGB"),
            (try Fixture.profile("cmyk"), .rgba, true, "is for CMYK, but the picture is gray"),
            (try Fixture.profile("gray-gamma"), .rgba, false, "is for GRAY, but the picture is RGB"),
            (try Fixture.profile("gray-gamma"), .cmyk, false, "is for GRAY, but the picture is CMYK"),
            (try Fixture.profile("p3"), .cmyk, false, "is for RGB, but the picture is CMYK"),
            (try profile("p3", claiming: "Lab "), .rgba, false, "is for Lab, but the picture is RGB"),
            (try profile("p3", claiming: "XYZ "), .rgba, false, "is for XYZ, but the picture is RGB"),
            (try profile("p3", claiming: "6CLR"), .cmyk, false, "is for 6CLR, but the picture is CMYK"),
        ]
        for (source, channels, isGray, message) in misfits {
            let conversion = ColorConversion(
                source: source, target: .sRGB, format: .rgba8, channels: channels, isGray: isGray)
            let error = #expect(throws: ImageError.self) { try converter.rowConverter(for: conversion) }
            #expect(error?.code == .badData)
            #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
        }
    }

    // MARK: In a manager

    /// Returns a picture with a profile, or the same picture without one.
    private func picture(_ profile: Data?) -> Data {
        var header = RawImageCoder.Header(width: 12, height: 9)
        header.profile = profile
        return RawImageCoder.file(header) { x, y, _ in SIMD4(UInt8(x * 21), UInt8(y * 28), UInt8(x * y * 2), 255) }
    }

    private func manager(_ listener: RecordingListener) -> ImageManager {
        let manager = ImageManager(plugins: [.color], context: [.off(.imageCache), .eventListener(listener)])
        manager.registry.coders.add(RawImageCoder())
        return manager
    }

    private func samples(_ image: Image) -> [UInt8] {
        (0..<image.height).flatMap { y in
            image.pixels.withRow(y) { row in row.withUnsafeBytes { Array($0) } }
        }
    }

    @Test func `a picture becomes sRGB, and keeps its profile on request`() async throws {
        let listener = RecordingListener()
        let manager = manager(listener)
        let profile = try Fixture.data("p3.icc")
        let plain = try await manager.decode(picture(nil))
        let converted = try await manager.decode(picture(profile))
        let rows = try #require(
            try converter.rowConverter(
                for: ColorConversion(source: .icc(profile), target: .sRGB, format: .rgba8)))
        #expect(converted.attributes.profile == .sRGB)
        #expect(samples(converted) == rows.converted(samples(plain)))
        #expect(samples(converted) != samples(plain))
        let kept = try await manager.decode(picture(profile), context: [.keepsProfile])
        #expect(kept.attributes.profile == .icc(profile))
        #expect(samples(kept) == samples(plain))
        await manager.waitForEvents()
        #expect(listener.issues.isEmpty)
    }

    @Test func `a picture with a damaged profile is treated as sRGB, and that is reported`() async throws {
        let listener = RecordingListener()
        let manager = manager(listener)
        let image = try await manager.decode(picture(Data(Fixture.data("p3.icc").prefix(300))))
        #expect(image.attributes.profile == .sRGB)
        #expect(samples(image) == samples(try await manager.decode(picture(nil))))
        await manager.waitForEvents()
        #expect(listener.issues.map(\.code) == [.badData])
        #expect(listener.issues.first?.component == "LittleCMSColorConverter")
        #expect(listener.issues.first?.message.hasPrefix("the embedded color profile is damaged") == true)
    }

    @Test func `the plugin names its library and the version in use`() throws {
        let library = try #require(Plugin.color.libraries.first)
        #expect(library.name == "Little CMS")
        #expect(library.version.hasPrefix("2."))
    }
}
#endif
