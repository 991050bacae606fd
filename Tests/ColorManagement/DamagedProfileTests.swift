#if COLOR
import Calotype
import CalotypeColor
import CalotypeTesting
import Foundation
import Testing

/// Damaged profiles, the same in every run. Each one either converts rows or yields an error.
@Suite(.timeLimit(.minutes(5)))
struct DamagedProfileTests {
    /// The number of mutations of each profile.
    private static let mutationCount = 100

    /// Returns the converted row of a profile; nil for an error, which must blame the profile.
    private func converted(_ data: Data, _ profile: Fixture.Profile, _ format: PixelFormat = .rgba8) throws -> [UInt8]?
    {
        let conversion = ColorConversion(
            source: .icc(data), target: .sRGB, format: format, channels: profile.channels, isGray: profile.isGray)
        // A new converter, so that no cached profile is used.
        let converter = LittleCMSColorConverter()
        do {
            let rows = try #require(try converter.rowConverter(for: conversion))
            return rows.converted((0..<256).map { UInt8($0 * 37 & 255) })
        } catch let error as ImageError {
            #expect(error.code == .badData)
            #expect(error.message.hasPrefix("the embedded color profile "))
            return nil
        }
    }

    @Test func `invalid data is an error that says so`() throws {
        let profile = try #require(Fixture.profiles.first)
        for data in [Data(), Data([1, 2, 3]), Data(count: 127), Data(count: 4096), Data(repeating: 255, count: 4096)] {
            #expect(try converted(data, profile) == nil, "\(data.count) bytes")
        }
    }

    @Test(arguments: Fixture.profiles)
    func `a profile that is cut off is valid or an error`(_ profile: Fixture.Profile) throws {
        let data = try Fixture.data(profile.name + ".icc")
        let whole = try converted(data, profile)
        // All lengths within the header and the list of tags, and some behind it.
        let counts = Array(0..<min(data.count, 400)) + Array(stride(from: 400, to: data.count, by: 61))
        for count in counts {
            guard let made = try converted(Data(data.prefix(count)), profile) else { continue }
            // Only padding or the table of another intent may be missing.
            #expect(made == whole, "\(count) of \(data.count) bytes")
        }
    }

    @Test(arguments: Fixture.profiles)
    func `a mutated profile is valid or an error`(_ profile: Fixture.Profile) throws {
        let data = try Fixture.data(profile.name + ".icc")
        var random = SplitMix64(seed: UInt64(data.count))
        var errorCount = 0
        for round in 0..<Self.mutationCount {
            var mutated = data
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Half of the mutations are in the header, the tags and their types.
                let end = Bool.random(using: &random) ? min(400, data.count) : data.count
                let place = Int.random(in: 0..<end, using: &random)
                mutated[place] = round.isMultiple(of: 3) ? 255 : UInt8.random(in: 0...255, using: &random)
            }
            let format = PixelFormat.allCases[round % 3]
            if try converted(mutated, profile, format) == nil { errorCount += 1 }
        }
        // Otherwise the mutations would miss the data that is read.
        #expect(errorCount > Self.mutationCount / 20 && errorCount < Self.mutationCount)
    }
}
#endif
