#if COLOR
import Calotype
import Foundation
import Testing

@testable import CalotypeColor

/// Only the tags that a conversion reads can cause a refusal, or count toward the limit.
@Suite(.timeLimit(.minutes(5)))
struct ProfileReadingTests {
    private static let junk = Array(repeating: UInt8(ascii: "w"), count: 40)

    private func rows(
        _ source: Data, to target: ColorProfile = .sRGB, channels: RowChannels = .rgba,
        limit: Int = 1 << 20
    ) throws -> [UInt8] {
        let conversion = ColorConversion(
            source: .icc(source), target: target, format: .rgba8, channels: channels, maxProfileTableBytes: limit)
        let rows = try #require(try LittleCMSColorConverter().rowConverter(for: conversion))
        return rows.converted((0..<256).map { UInt8($0 * 37 & 255) })
    }

    /// Returns a profile in which a tag has an unknown type.
    private func profile(_ file: String, damaging tag: String) throws -> Data {
        var data = try Fixture.data(file)
        let place = try Fixture.place(of: tag, in: data)
        data.replaceSubrange(place..<place + 4, with: Data("wwww".utf8))
        return data
    }

    @Test func `a damaged table of another intent is left out`() throws {
        for (file, channels) in [("cmyk.icc", RowChannels.cmyk), ("rgb-tables.icc", .rgba)] {
            let whole = try rows(Fixture.data(file), channels: channels)
            #expect(try rows(profile(file, damaging: "A2B1"), channels: channels) == whole)
            for name: StaticString in ["A2B2", "B2A0", "B2A1", "B2A2"] {
                let data = try Fixture.profile(file, adding: name, Self.junk)
                #expect(try rows(data, channels: channels) == whole, "\(name)")
            }
            #expect(throws: ImageError.self) { try rows(profile(file, damaging: "A2B0"), channels: channels) }
        }
    }

    @Test func `a damaged table of the used intent is an error even beside a matrix`() throws {
        let whole = try rows(Fixture.data("p3.icc"))
        for name: StaticString in ["A2B0", "A2B1"] {
            #expect(throws: ImageError.self) { try rows(Fixture.profile("p3.icc", adding: name, Self.junk)) }
        }
        for name: StaticString in ["A2B2", "B2A0", "kTRC"] {
            #expect(try rows(Fixture.profile("p3.icc", adding: name, Self.junk)) == whole, "\(name)")
        }
    }

    @Test func `for a target only the tables in its direction are checked`() throws {
        let source = try Fixture.data("adobe.icc")
        let whole = try rows(source, to: Fixture.profile("p3"))
        for name: StaticString in ["A2B0", "A2B1", "A2B2", "B2A2"] {
            let target = ColorProfile.icc(try Fixture.profile("p3.icc", adding: name, Self.junk))
            #expect(try rows(source, to: target) == whole, "\(name)")
        }
        for name: StaticString in ["B2A0", "B2A1"] {
            let target = ColorProfile.icc(try Fixture.profile("p3.icc", adding: name, Self.junk))
            #expect(throws: ImageError.self) { try rows(source, to: target) }
        }
    }

    @Test func `tables of other intents do not count against the limit`() throws {
        let data = try Fixture.data("cmyk.icc")
        let extract = try ProfileExtract(data, ProfileHeader(data), .source, channelCount: 4, maxTableBytes: .max)
        #expect(extract.intent == .perceptual)
        // The profile has two tables of the same size.
        let limit = extract.tableByteCount
        #expect(try rows(data, channels: .cmyk, limit: limit).count == 256)
        #expect(throws: ImageError.self) { try rows(data, channels: .cmyk, limit: limit - 1) }
    }

    @Test func `the selected tags are those of Little CMS`() throws {
        let matrix: [ProfileSignature] = ["rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC"]
        let tables: [ProfileSignature] = ["A2B0", "A2B1", "B2A0", "B2A1"]
        let first = try ProfileHeader(Fixture.data("adobe.icc"))
        let fourth = try ProfileHeader(Fixture.data("p3.icc"))
        #expect(!first.isOfVersion4 && fourth.isOfVersion4)
        func reading(
            _ use: ProfileReading.Use, _ tags: [ProfileSignature], _ header: ProfileHeader
        ) -> ProfileReading {
            ProfileReading(use, of: Set(tags), header)
        }

        let plain = reading(.source, matrix, first)
        #expect(plain.intent == .relative && plain.required == matrix && plain.alternatives.isEmpty)
        let relative = reading(.source, matrix + ["A2B1"], first)
        #expect(relative.intent == .relative && relative.required == ["A2B1"])
        let old = reading(.source, matrix + tables, first)
        #expect(old.intent == .perceptual && old.required == ["A2B0"])
        #expect(old.alternatives.isEmpty && old.markers.isEmpty)
        let new = reading(.source, matrix + tables, fourth)
        #expect(new.required == ["A2B0"] && new.alternatives == [["A2B1"]] && new.markers == matrix)

        #expect(reading(.target(.relative), matrix + tables, first).required == ["B2A1"])
        #expect(reading(.target(.perceptual), matrix + tables, first).required == ["B2A0"])
        #expect(reading(.target(.relative), matrix, fourth).required == matrix)
        #expect(reading(.target(.perceptual), tables, fourth).alternatives.contains(["A2B1", "A2B0"]) == false)
    }
}
#endif
