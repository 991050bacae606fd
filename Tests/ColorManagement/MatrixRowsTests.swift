#if COLOR
import CLCMS
import Calotype
import CalotypeTesting
import Foundation
import Testing

@testable import CalotypeColor

/// Conversions by curves and a matrix, which are compared with transforms of Little CMS.
@Suite(.timeLimit(.minutes(5)))
struct MatrixRowsTests {
    static let profiles = ["p3", "adobe", "gamma"]

    private func rows(
        _ source: Data, to target: ColorProfile = .sRGB, _ format: PixelFormat
    ) throws -> any RowConverter {
        let conversion = ColorConversion(source: .icc(source), target: target, format: format)
        return try #require(try LittleCMSColorConverter().rowConverter(for: conversion))
    }

    /// Returns the pixels as Little CMS converts them to sRGB.
    /// - Parameter isExact: Whether Little CMS computes in floating point, and not in its fastest form.
    private func reference<Level: FixedWidthInteger>(
        _ pixels: [Level], _ profile: Data, isExact: Bool
    ) throws -> [Level] {
        let source = try #require(profile.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, UInt32($0.count)) })
        defer { cmsCloseProfile(source) }
        let target = try #require(cmsCreate_sRGBProfile())
        defer { cmsCloseProfile(target) }
        let format = clcms_format(UInt32(PT_RGB), 3, UInt32(MemoryLayout<Level>.size), false)
        let flags = cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION | (isExact ? cmsFLAGS_NOOPTIMIZE : 0)
        let transform = try #require(
            cmsCreateTransform(
                source, format, target, format, UInt32(INTENT_RELATIVE_COLORIMETRIC), UInt32(flags)))
        defer { cmsDeleteTransform(transform) }
        var made = pixels
        made.withUnsafeMutableBytes {
            cmsDoTransform(transform, $0.baseAddress, $0.baseAddress, UInt32(pixels.count / 4))
        }
        return made
    }

    /// Returns pixels of random colors, all grays, and a grid of colors with the darkest and the lightest levels.
    private func samples<Level: FixedWidthInteger>() -> [Level] {
        var random = SplitMix64(seed: 3)
        var pixels = (0..<4 * 20_000).map { _ in Level.random(in: 0...Level.max, using: &random) }
        for step in 0...255 {
            let gray = Level.max / 255 * Level(step)
            pixels += [gray, gray, gray, 9]
        }
        let edges = [0, 1, 2, 3, 5, 9, 17].map { Level($0) }
        let levels = edges + edges.map { Level.max - $0 } + [Level.max / 2]
        for red in levels {
            for green in levels {
                for blue in levels { pixels += [red, green, blue, 7] }
            }
        }
        return pixels
    }

    @Test(arguments: profiles)
    func `8-bit colors are at most one level from both forms of Little CMS`(_ name: String) throws {
        let profile = try Fixture.data(name + ".icc")
        let converter = try rows(profile, .rgba8)
        #expect(converter is MatrixRows8)
        let pixels: [UInt8] = samples()
        let made = converter.converted(pixels)
        for isExact in [true, false] {
            let expected = try reference(pixels, profile, isExact: isExact)
            let largest = zip(made, expected).map { abs(Int($0) - Int($1)) }.max()
            #expect(try #require(largest) <= 1, "exact: \(isExact)")
        }
    }

    @Test(arguments: profiles)
    func `16-bit colors are at most two levels from the exact form of Little CMS`(_ name: String) throws {
        let profile = try Fixture.data(name + ".icc")
        let converter = try rows(profile, .rgba16)
        #expect(converter is MatrixRows16)
        let pixels: [UInt16] = samples()
        let made = converter.converted(pixels)
        let expected = try reference(pixels, profile, isExact: true)
        let largest = zip(made, expected).map { abs(Int($0) - Int($1)) }.max()
        #expect(try #require(largest) <= 2)
    }

    @Test func `random matrix profiles are within one level of 8 bits and two of 16 of Little CMS`() throws {
        var random = SplitMix64(seed: 11)
        let bytes: [UInt8] = samples().suffix(4 * 6000)
        let words: [UInt16] = samples().suffix(4 * 6000)
        var (narrow, wide) = (0, 0)
        for number in 0..<80 {
            guard let profile = randomProfile(&random) else { continue }
            let conversion = ColorConversion(source: .icc(profile), target: .sRGB, format: .rgba8)
            guard let rows = try LittleCMSColorConverter().rowConverter(for: conversion) as? MatrixRows8 else {
                continue
            }
            narrow += 1
            let exact = try reference(bytes, profile, isExact: true)
            let largest = zip(rows.converted(bytes), exact).map { abs(Int($0) - Int($1)) }.max()
            #expect(try #require(largest) <= 1, "profile \(number)")
            guard let rows = try self.rows(profile, .rgba16) as? MatrixRows16 else { continue }
            wide += 1
            let exactWords = try reference(words, profile, isExact: true)
            let largestOfWords = zip(rows.converted(words), exactWords).map { abs(Int($0) - Int($1)) }.max()
            #expect(try #require(largestOfWords) <= 2, "profile \(number)")
        }
        #expect(narrow > 20)
        #expect(wide > 20)
    }

    /// Returns a profile with random curves and primaries; nil if Little CMS refuses these.
    private func randomProfile(_ random: inout SplitMix64) -> Data? {
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
        func curve() -> OpaquePointer? {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return cmsBuildGamma(nil, number(0.3...4))
            case 1:
                // The shape of sRGB's curve.
                let numbers = [number(1.5...3), 1 / 1.055, 0.055 / 1.055, 1 / 12.92, number(0...0.1)]
                return cmsBuildParametricToneCurve(nil, 4, numbers)
            case 2:
                // Curves of a few points need not rise.
                let points =
                    [0]
                    + (0..<Int.random(in: 1..<40, using: &random)).map { _ in
                        UInt16.random(in: 0...UInt16.max, using: &random)
                    }
                return cmsBuildTabulatedToneCurve16(nil, UInt32(points.count), points)
            default:
                let gamma = number(0.5...3)
                let points = (0..<1024).map { UInt16(65535 * pow(Double($0) / 1023, gamma)) }
                return cmsBuildTabulatedToneCurve16(nil, 1024, points)
            }
        }
        let curves = (0..<3).map { _ in curve() }
        defer { for curve in curves { cmsFreeToneCurve(curve) } }
        var white = cmsCIExyY(x: 0.3127, y: 0.329, Y: 1)
        func primary(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> cmsCIExyY {
            cmsCIExyY(x: number(x), y: number(y), Y: 1)
        }
        var primaries = cmsCIExyYTRIPLE(
            Red: primary(0.5...0.75, 0.2...0.4), Green: primary(0.1...0.35, 0.5...0.85),
            Blue: primary(0.05...0.2, 0.01...0.15))
        var transfers: [OpaquePointer?] = curves
        guard let profile = cmsCreateRGBProfile(&white, &primaries, &transfers) else { return nil }
        defer { cmsCloseProfile(profile) }
        var count: UInt32 = 0
        guard cmsSaveProfileToMem(profile, nil, &count) != 0 else { return nil }
        var data = Data(count: Int(count))
        let isSaved = data.withUnsafeMutableBytes { cmsSaveProfileToMem(profile, $0.baseAddress, &count) != 0 }
        return isSaved ? data : nil
    }

    @Test(arguments: profiles)
    func `black and white stay black and white`(_ name: String) throws {
        let profile = try Fixture.data(name + ".icc")
        let bytes: [UInt8] = [0, 0, 0, 1, 255, 255, 255, 2]
        #expect(try rows(profile, .rgba8).converted(bytes) == bytes)
        let words: [UInt16] = [0, 0, 0, 1, .max, .max, .max, 2]
        let made = try rows(profile, .rgba16).converted(words)
        #expect(made.prefix(4) == words.prefix(4))
        // The colorants of a profile are rounded, so that white may be one level darker, with Little CMS as well.
        #expect(colors(of: made).suffix(3).allSatisfy { $0 >= .max - 1 })
        #expect(made == (try reference(words, profile, isExact: true)))
    }

    @Test func `floating point and tables are left to Little CMS`() throws {
        #expect(try rows(Fixture.data("p3.icc"), .rgbaFloat) is TransformedRows)
        for format in PixelFormat.allCases {
            #expect(try rows(Fixture.data("rgb-tables.icc"), format) is TransformedRows)
        }
    }

    @Test func `a target whose curve is infinitely steep at black is left to Little CMS`() throws {
        let target = try Fixture.profile("adobe")
        #expect(try rows(Fixture.data("p3.icc"), to: target, .rgba8) is TransformedRows)
        #expect(try rows(Fixture.data("p3.icc"), to: target, .rgba16) is TransformedRows)
    }

    /// Returns the body of a parametric curve (ICC.1:2022, section 10.18) of type 2: (a x + b)^g + c.
    private func curve(gamma: Double, a: Double, b: Double, c: Double) -> [UInt8] {
        let numbers = [gamma, a, b, c, 0].flatMap { (number: Double) -> [UInt8] in
            let fixed = Int32(number * 65536)
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: fixed >> Int32($0)) }
        }
        return Array("para".utf8) + [0, 0, 0, 0, 0, 2, 0, 0] + numbers
    }

    /// Returns a profile with the colorants of P3, in which all channels have the given curve.
    private func profile(curve: [UInt8]) throws -> Data {
        var profile = try Fixture.profile("p3.icc", adding: "xTRC", curve)
        for name in ["rTRC", "gTRC", "bTRC"] {
            profile = try Fixture.profile(profile, moving: name, onto: "xTRC", by: 0)
        }
        return profile
    }

    @Test func `a source whose black emits light is adapted, by Little CMS`() throws {
        let profile = try profile(curve: curve(gamma: 2.2, a: 0.95, b: 0.05, c: 0.01))
        for format in [PixelFormat.rgba8, .rgba16] {
            #expect(try rows(profile, format) is TransformedRows)
        }
        let pixels: [UInt8] = samples()
        let expected = try reference(pixels, profile, isExact: false)
        #expect(try rows(profile, .rgba8).converted(pixels) == expected)
    }

    @Test func `a target whose full level is brighter than white is left to Little CMS`() throws {
        let target = ColorProfile.icc(try profile(curve: curve(gamma: 1.5, a: 1.1, b: 0, c: 0)))
        for format in [PixelFormat.rgba8, .rgba16] {
            #expect(try rows(Fixture.data("p3.icc"), to: target, format) is TransformedRows)
        }
    }

    @Test func `equal curves share a table`() throws {
        let rows = try #require(try rows(Fixture.data("p3.icc"), .rgba16) as? MatrixRows16)
        // One table from levels to light, and one back.
        #expect(rows.byteCount == 4 * (1 << 16) + 4 * ((1 << 14) + 2))
    }

    @Test func `tags with the same bytes are read once`() throws {
        let data = try Fixture.data("adobe.icc")
        let curve = Array(data[try Fixture.place(of: "gTRC", in: data)...].prefix(16))
        let copies = try Fixture.profile("adobe.icc", adding: "xTRC", curve)
        let parted = try Fixture.profile(copies, moving: "gTRC", onto: "xTRC", by: 0)
        let extract = try ProfileExtract(
            parted, ProfileHeader(parted), .source, channelCount: 3, maxTableBytes: 1 << 20)
        let places = try ["rTRC", "gTRC", "bTRC"].map { try Fixture.place(of: $0, in: extract.data) }
        #expect(Set(places).count == 1)
        let pixels: [UInt8] = samples()
        #expect(try rows(parted, .rgba8).converted(pixels) == rows(data, .rgba8).converted(pixels))
    }
}
#endif
