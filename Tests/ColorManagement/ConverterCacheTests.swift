#if COLOR
import Calotype
import Foundation
import Testing

@testable import CalotypeColor

/// Converters of profiles are cached, within limits.
@Suite(.timeLimit(.minutes(5)))
struct ConverterCacheTests {
    /// A converter that is identified by a number.
    private struct Numbered: KeptRowConverter {
        let number: Int
        var byteCount = 0
        func convert(_ row: inout MutableRawSpan) {}
    }

    private func conversion(_ number: Int, byteCount: Int = 200) -> ColorConversion {
        var data = Data(count: byteCount)
        // The differing byte is beyond those that the hash of `Data` covers.
        data[byteCount - 1] = UInt8(number)
        return ColorConversion(source: .icc(data), target: .sRGB, format: .rgba8)
    }

    /// Adds a converter with that number, and returns the evicted ones.
    @discardableResult
    private func keep(
        _ number: Int, byteCount: Int = 0, for conversion: ColorConversion, in cache: inout ConverterCache
    ) -> [Int] {
        cache.keep(Numbered(number: number, byteCount: byteCount), for: conversion)
            .compactMap { ($0 as? Numbered)?.number }
    }

    private func number(_ conversion: ColorConversion, in cache: inout ConverterCache) -> Int? {
        (cache.converter(for: conversion) as? Numbered)?.number
    }

    @Test func `a profile is parsed only once`() throws {
        let converter = LittleCMSColorConverter()
        let copy = converter
        func transform(_ converter: LittleCMSColorConverter, _ format: PixelFormat) throws -> LittleCMSTransform {
            let conversion = ColorConversion(
                source: try Fixture.profile("rgb-tables"), target: .sRGB, format: format)
            let rows = try converter.rowConverter(for: conversion)
            return try #require(rows as? TransformedRows).transform
        }
        let first = try transform(converter, .rgba8)
        #expect(try transform(converter, .rgba8) === first)
        #expect(try transform(copy, .rgba8) === first)
        let other = try transform(converter, .rgba16)
        #expect(other !== first)
        #expect(try transform(converter, .rgba16) === other)
        #expect(try transform(LittleCMSColorConverter(), .rgba8) !== first)
    }

    @Test func `every part of a conversion is part of the key`() throws {
        let source = try Fixture.profile("p3")
        let other = try Fixture.profile("adobe")
        let conversions = [
            ColorConversion(source: source, target: .sRGB, format: .rgba8),
            ColorConversion(source: other, target: .sRGB, format: .rgba8),
            ColorConversion(source: source, target: other, format: .rgba8),
            ColorConversion(source: source, target: .sRGB, format: .rgba16),
            ColorConversion(source: source, target: .sRGB, format: .rgba8, channels: .cmyk),
            ColorConversion(source: source, target: .sRGB, format: .rgba8, isGray: true),
            ColorConversion(source: source, target: .sRGB, format: .rgba8, maxProfileTableBytes: 100),
        ]
        var cache = ConverterCache()
        for (index, conversion) in conversions.enumerated() {
            #expect(number(conversion, in: &cache) == nil)
            keep(index, for: conversion, in: &cache)
        }
        for (index, conversion) in conversions.enumerated() { #expect(number(conversion, in: &cache) == index) }
    }

    @Test func `the least recently used conversions are evicted first`() {
        var cache = ConverterCache()
        for index in 0..<ConverterCache.capacity { keep(index, for: conversion(index), in: &cache) }
        #expect(number(conversion(0), in: &cache) == 0)
        #expect(keep(100, for: conversion(100), in: &cache) == [1])
        #expect(cache.count == ConverterCache.capacity)
        #expect(number(conversion(0), in: &cache) == 0)
        #expect(number(conversion(1), in: &cache) == nil)
        #expect(number(conversion(2), in: &cache) == 2)
        #expect(number(conversion(100), in: &cache) == 100)
    }

    @Test func `each conversion is kept once`() {
        var cache = ConverterCache()
        keep(1, for: conversion(1), in: &cache)
        #expect(keep(2, for: conversion(1), in: &cache) == [1])
        #expect(cache.count == 1)
        #expect(number(conversion(1), in: &cache) == 2)
    }

    @Test func `fewer large profiles are kept, and always at least one`() {
        let half = ConverterCache.byteCapacity / 2
        var cache = ConverterCache()
        for index in 0..<3 { keep(index, for: conversion(index, byteCount: half), in: &cache) }
        #expect(cache.count == 2)
        #expect(number(conversion(0, byteCount: half), in: &cache) == nil)
        #expect(keep(9, for: conversion(9, byteCount: 3 * half), in: &cache) == [1, 2])
        #expect(cache.count == 1)
        #expect(number(conversion(9, byteCount: 3 * half), in: &cache) == 9)
    }

    @Test func `the memory of converters is counted`() {
        let third = ConverterCache.byteCapacity / 3
        var cache = ConverterCache()
        for index in 0..<2 { keep(index, byteCount: third, for: conversion(index), in: &cache) }
        #expect(keep(2, byteCount: third, for: conversion(2), in: &cache) == [0])
        #expect(keep(3, byteCount: 9 * third, for: conversion(3), in: &cache) == [1, 2])
        #expect(cache.count == 1)
    }

    @Test func `a transform counts the bytes that Little CMS allocates for it`() throws {
        let converter = LittleCMSColorConverter()
        func byteCount(_ name: String, _ channels: RowChannels) throws -> Int {
            let conversion = ColorConversion(
                source: try Fixture.profile(name), target: .sRGB, format: .rgba8, channels: channels)
            let rows = try #require(try converter.rowConverter(for: conversion) as? any KeptRowConverter)
            return rows.byteCount
        }
        // Little CMS makes a table of at least 17 nodes a side for four inks, with three two-byte values a node.
        #expect(try byteCount("cmyk", .cmyk) >= 17 * 17 * 17 * 17 * 6)
        #expect(try (1_000..<1_000_000).contains(byteCount("p3", .rgba)))
    }
}
#endif
