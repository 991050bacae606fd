#if COLOR
import Calotype
import CalotypeTesting
import Foundation
import HostileStructures
import Testing

@testable import CalotypeColor

/// Well-formed but absurd profiles. Their time and memory are measured by the fuzzer, in an optimized build.
@Suite(.timeLimit(.minutes(5)))
struct HostileProfileTests {
    private func converted(_ data: Data, _ channels: RowChannels = .rgba, isGray: Bool = false) throws -> [UInt8]? {
        let conversion = ColorConversion(
            source: .icc(data), target: .sRGB, format: .rgba8, channels: channels, isGray: isGray)
        do {
            let rows = try #require(try LittleCMSColorConverter().rowConverter(for: conversion))
            return rows.converted((0..<256).map { UInt8($0 * 37 & 255) })
        } catch let error as ImageError {
            #expect(error.code == .badData)
            #expect(error.message.hasPrefix("the embedded color profile "))
            return nil
        }
    }

    @Test func `a hostile profile converts rows or is an error`() throws {
        var convertedCount = 0
        for seed in 1...100 as ClosedRange<UInt64> {
            let profile = HostileProfile(seed: seed)
            let channels: RowChannels = profile.space == .cmyk ? .cmyk : .rgba
            if try converted(profile.data, channels, isGray: profile.space == .gray) != nil { convertedCount += 1 }
        }
        // Otherwise too many would be refused before their tables are read.
        #expect((10..<90).contains(convertedCount))
    }

    /// Returns a matrix profile with additional multi-process elements in place of its tables: `count` equal elements.
    private func profile(elementCount count: Int, element: [UInt8]) throws -> Data {
        var tag = HostileBytes()
        tag.append("mpet")
        tag.append(zeros: 4)
        for number in [3, 3] { tag.append(number, byteCount: 2) }
        tag.append(count, byteCount: 4)
        for _ in 0..<count {
            tag.append(16 + 8 * count, byteCount: 4)
            tag.append(element.count, byteCount: 4)
        }
        tag.append(element)
        return try Fixture.profile("p3.icc", adding: "D2B0", tag.bytes)
    }

    @Test func `thousands of elements with a shared offset change nothing`() throws {
        let plain = try converted(try Fixture.data("p3.icc"))
        var matrix = HostileBytes()
        matrix.append("matf")
        matrix.append(zeros: 4)
        for number in [3, 3] { matrix.append(number, byteCount: 2) }
        matrix.append(zeros: 4 * 12)
        #expect(plain != nil)
        #expect(try converted(profile(elementCount: 60_000, element: matrix.bytes)) == plain)

        var table = HostileBytes()
        table.append("clut")
        table.append(zeros: 4)
        for number in [3, 3] { table.append(number, byteCount: 2) }
        table.append(Array(repeating: 40, count: 16))
        table.append(zeros: 4 * 40 * 40 * 40 * 3)
        #expect(try converted(profile(elementCount: 1_200, element: table.bytes)) == plain)
    }

    @Test func `tables over the limit are refused, and the error names the limit`() throws {
        let data = try Fixture.data("cmyk.icc")
        func rows(_ limit: Int) throws -> (any RowConverter)? {
            try LittleCMSColorConverter().rowConverter(
                for: ColorConversion(
                    source: .icc(data), target: .sRGB, format: .rgba8, channels: .cmyk, maxProfileTableBytes: limit))
        }
        let error = #expect(throws: ImageError.self) { try rows(1_000) }
        #expect(error?.code == .badData)
        #expect(error?.advice?.contains("maxProfileTableBytes") == true)
        #expect(try rows(2 * data.count) != nil)
    }

    @Test func `a device link profile is refused`() throws {
        var data = try Fixture.data("p3.icc")
        data.replaceSubrange(12..<16, with: Data("link".utf8))
        #expect(try converted(data) == nil)
    }

    @Test func `overlapping tags are refused, identical ones are accepted`() throws {
        let data = try Fixture.data("p3.icc")
        #expect(try converted(Fixture.profile(data, moving: "gTRC", onto: "rTRC", by: 0)) != nil)

        // The bytes of one color contain the beginning of another.
        var overlapping = try Fixture.profile(data, moving: "gXYZ", onto: "rXYZ", by: 8)
        let color = try Fixture.place(of: "rXYZ", in: data)
        overlapping.replaceSubrange(color + 8..<color + 16, with: Data("XYZ ".utf8) + Data(count: 4))
        let conversion = ColorConversion(source: .icc(overlapping), target: .sRGB, format: .rgba8)
        let error = #expect(throws: ImageError.self) { try LittleCMSColorConverter().rowConverter(for: conversion) }
        #expect(error?.message.hasSuffix("its tags rXYZ and gXYZ overlap") == true, "\(error?.message ?? "")")
    }

    /// Returns an RGB profile of stages, with curves of `entryCount` entries and no byte behind them.
    private func matrixOfElements(entryCount: Int) -> Data {
        var tag = HostileBytes()
        tag.append("mAB ")
        tag.append(zeros: 4)
        for number in [3, 3] { tag.append(number, byteCount: 1) }
        tag.append(zeros: 2)
        // Only B curves.
        for offset in [32, 0, 0, 0, 0] { tag.append(offset, byteCount: 4) }
        for index in 0..<3 {
            tag.append("curv")
            tag.append(zeros: 4)
            tag.append(entryCount, byteCount: 4)
            for entry in 0..<entryCount { tag.append(entry * 65_535 / (entryCount - 1), byteCount: 2) }
            if index < 2 { tag.align() }
        }
        var profile = HostileBytes()
        profile.append(128 + 4 + 12 + tag.count + 4, byteCount: 4)
        profile.append([0, 0, 0, 0, 4, 0x40, 0, 0])
        profile.append("mntrRGB XYZ ")
        profile.append(zeros: 12)
        profile.append("acsp")
        profile.append(zeros: 128 - profile.count)
        profile.append(1, byteCount: 4)
        profile.append("A2B0")
        profile.append(144, byteCount: 4)
        profile.append(tag.count, byteCount: 4)
        profile.append(tag.bytes)
        // Bytes that follow the tag and do not belong to it.
        profile.append([1, 2, 3, 4])
        return Data(profile.bytes)
    }

    @Test func `no padding is needed after the last curve of a tag`() throws {
        #expect(try converted(matrixOfElements(entryCount: 256)) != nil)
        #expect(try converted(matrixOfElements(entryCount: 255)) != nil)
    }
}
#endif
