#if COLOR
import Calotype
import CalotypeColor
import Testing

/// Tests of converted colors against two other programs.
@Suite(.timeLimit(.minutes(5)))
struct ColorConversionTests {
    private let converter = LittleCMSColorConverter()

    private func rows(_ profile: Fixture.Profile, _ format: PixelFormat) throws -> any RowConverter {
        try #require(try converter.rowConverter(for: profile.conversion(format)))
    }

    /// Returns the largest and the mean difference of levels from the expected ones. Expected values may exceed the
    /// range of levels, which are then clipped.
    private func distance<Level: BinaryInteger>(
        _ levels: [Level], _ expected: [Float], full: Float
    ) throws -> (largest: Float, mean: Float) {
        try #require(levels.count == expected.count && !levels.isEmpty)
        let distances = zip(levels, expected).map { abs(Float($0) - min(max($1 * full, 0), full)) }
        return (distances.max() ?? 0, distances.reduce(0, +) / Float(distances.count))
    }

    // MARK: Colors

    @Test(arguments: Fixture.profiles)
    func `8-bit results equal those of transicc`(_ profile: Fixture.Profile) throws {
        let made = try rows(profile, .rgba8).converted(Fixture.colors8(isGray: profile.isGray))
        let distance = try distance(colors(of: made), Fixture.floats(profile.name + "-8"), full: 255)
        // One table that combines several is coarser than each of them.
        #expect(distance.largest <= (profile.isOfTables ? 14 : profile.isGray ? 0.51 : 0.75))
        #expect(distance.mean <= (profile.isOfTables ? 0.45 : 0.3))
    }

    @Test(arguments: Fixture.profiles)
    func `8-bit results equal those of Pillow`(_ profile: Fixture.Profile) throws {
        let made = try rows(profile, .rgba8).converted(Fixture.colors8(isGray: profile.isGray))
        let expected = [UInt8](try Fixture.data(profile.name + "-pillow")).map { Float($0) / 255 }
        let distance = try distance(colors(of: made), expected, full: 255)
        // Pillow makes a coarse table for gray too.
        #expect(distance.largest <= (profile.isGray ? 2 : 1))
        #expect(distance.mean <= 0.1)
    }

    @Test(arguments: Fixture.profiles)
    func `16-bit results equal those of transicc`(_ profile: Fixture.Profile) throws {
        let made = try rows(profile, .rgba16).converted(Fixture.colors16(isGray: profile.isGray))
        let distance = try distance(colors(of: made), Fixture.floats(profile.name + "-16"), full: 65535)
        #expect(distance.largest <= 3)
    }

    @Test(arguments: Fixture.profiles)
    func `floating-point results equal those of transicc`(_ profile: Fixture.Profile) throws {
        let levels = try Fixture.colors16(isGray: profile.isGray).map { Float($0) / 65535 }
        let made = try rows(profile, .rgbaFloat).converted(levels)
        let expected = try Fixture.floats(profile.name + "-16")
        let largest = zip(colors(of: made), expected).map { abs($0 - $1) }.max()
        #expect(try #require(largest) <= 3e-5)
    }

    @Test(arguments: Fixture.profiles.filter { !$0.isOfTables && $0.name != "gray-dots" })
    func `floating-point values continue below black and above white`(_ profile: Fixture.Profile) throws {
        let made = try rows(profile, .rgbaFloat).converted(Fixture.beyond(isGray: profile.isGray))
        let expected = try Fixture.floats(profile.name + "-beyond")
        try #require(expected.contains { $0 > 1.2 })
        let largest = zip(colors(of: made), expected).map { abs($0 - $1) }.max()
        #expect(try #require(largest) <= 1e-4)
    }

    @Test func `CMYK without ink is white and with full ink black`() throws {
        let inks = try rows(#require(Fixture.profiles.last), .rgba8)
        #expect(inks.converted([0, 0, 0, 0] as [UInt8]) == [255, 255, 255, 255])
        let black = inks.converted([255, 255, 255, 255] as [UInt8])
        #expect(black.prefix(3).allSatisfy { $0 <= 4 })
        // Cyan absorbs red most, yellow blue.
        let cyan = inks.converted([255, 0, 0, 0] as [UInt8])
        let yellow = inks.converted([0, 0, 255, 0] as [UInt8])
        #expect(cyan[0] < cyan[1] && cyan[1] < cyan[2])
        #expect(yellow[2] < yellow[1] && yellow[1] < yellow[0])
    }

    // MARK: Alpha

    @Test(arguments: Fixture.profiles.filter { $0.channels == .rgba })
    func `alpha stays as it is`(_ profile: Fixture.Profile) throws {
        let levels8 = try Fixture.colors8(isGray: profile.isGray)
        #expect(alpha(of: try rows(profile, .rgba8).converted(levels8)) == alpha(of: levels8))
        let levels16 = try Fixture.colors16(isGray: profile.isGray)
        #expect(alpha(of: try rows(profile, .rgba16).converted(levels16)) == alpha(of: levels16))
        let beyond = try Fixture.beyond(isGray: profile.isGray)
        #expect(alpha(of: try rows(profile, .rgbaFloat).converted(beyond)) == alpha(of: beyond))
    }

    @Test func `CMYK becomes opaque`() throws {
        let profile = try #require(Fixture.profiles.last)
        let levels8 = try rows(profile, .rgba8).converted(Fixture.colors8())
        #expect(alpha(of: levels8).allSatisfy { $0 == .max })
        let levels16 = try rows(profile, .rgba16).converted(Fixture.colors16())
        #expect(alpha(of: levels16).allSatisfy { $0 == .max })
        let floats = try rows(profile, .rgbaFloat).converted(Fixture.beyond())
        #expect(alpha(of: floats).allSatisfy { $0 == 1 })
    }

    /// Checks that all grays of a format become grays in ascending order, from black to white.
    private func expectGrays<Level: FixedWidthInteger & BitwiseCopyable>(
        _: Level.Type, of rows: any RowConverter
    ) {
        let count = Int(Level.max) + 1
        let pixels = (0..<4 * count).map { (index: Int) -> Level in index % 4 == 3 ? 77 : Level(index / 4) }
        let made = colors(of: rows.converted(pixels))
        let grays = stride(from: 0, to: made.count, by: 3).map { made[$0] }
        #expect(made.indices.allSatisfy { made[$0] == grays[$0 / 3] })
        #expect(grays == grays.sorted())
        #expect(grays.first == 0 && grays.last == .max)
    }

    @Test(arguments: Fixture.profiles.filter(\.isGray))
    func `gray stays gray, at every level`(_ profile: Fixture.Profile) throws {
        expectGrays(UInt8.self, of: try rows(profile, .rgba8))
        expectGrays(UInt16.self, of: try rows(profile, .rgba16))
    }

    @Test func `non-finite values do not affect others`() throws {
        let odd: [Float] = [.nan, .infinity, -.infinity, 1, .greatestFiniteMagnitude, -0.0, .leastNonzeroMagnitude, 0]
        for profile in Fixture.profiles {
            let made = try rows(profile, .rgbaFloat).converted(odd + [0.5, 0.5, 0.5, 0.5])
            let usual = try rows(profile, .rgbaFloat).converted([0.5, 0.5, 0.5, 0.5] as [Float])
            #expect(Array(made.suffix(4)) == usual, "\(profile.name)")
        }
    }

    @Test func `an empty row stays empty`() throws {
        for profile in Fixture.profiles {
            for format in PixelFormat.allCases {
                #expect(try rows(profile, format).converted([] as [UInt8]).isEmpty)
            }
        }
    }

    // MARK: Concurrency

    @Test(arguments: Fixture.profiles)
    func `many concurrent threads get the same pixels as one`(_ profile: Fixture.Profile) async throws {
        let levels = try Fixture.colors8(isGray: profile.isGray)
        let conversion = try profile.conversion(.rgba8)
        let alone = try rows(profile, .rgba8).converted(levels)
        // The converter has no cached transform yet, so that several threads create it at once and all use one.
        let converter = LittleCMSColorConverter()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    try (0..<50).allSatisfy { _ in
                        try converter.rowConverter(for: conversion)?.converted(levels) == alone
                    }
                }
            }
            for try await isSame in group { #expect(isSame) }
        }
    }
}
#endif
