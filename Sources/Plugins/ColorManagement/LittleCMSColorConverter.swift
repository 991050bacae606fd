#if COLOR
public import Calotype

/// Converts colours from embedded ICC profiles to sRGB, or to another profile of red, green and blue, with Little CMS.
///
/// Profiles of versions 2 and 4 are known, with matrix or tables, for red, green and blue, for gray, and for four inks.
/// Those of tables are taken by their perceptual intent, the others relative to white; black becomes black. A profile
/// that is damaged, or whose colours are not those of the picture, is an error.
///
/// Eight bits are within a level of the exact result where the profile is one of a matrix or of gray; of tables Little
/// CMS makes a coarser one. Sixteen bits and floating point are converted exactly, at a tenth of the speed. Floating
/// point is not clamped to 0...1, unless by curves and tables of the profile. A profile that moves no colour
/// by more than a level of eight bits counts as sRGB and changes nothing, in any format.
///
/// A profile is checked before Little CMS reads it, so that a damaged or hostile one costs little time and memory: its
/// curves and tables may take ``ColorConversion/maxProfileTableBytes`` in memory, everything that Little CMS makes of
/// both profiles six times as much, and 48 MiB in any case. Multi-process elements (`D2B0`) are not read; the tables of
/// such a profile are.
///
/// Thread-safe. The converters of the last profiles are kept, up to 16 of them and 16 MiB, so that the pictures of a
/// gallery share them.
public struct LittleCMSColorConverter: ColorConverter {
    private let cache = Lock(ConverterCache())

    /// A converter that remembers nothing yet. Copies of it remember together.
    public init() {}

    /// Returns a converter of rows; nil for a target that is not red, green and blue, and for inks without a profile.
    ///
    /// Throws `badData` when a profile is damaged or does not fit the rows, and `outOfMemory`.
    public func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)? {
        if let kept = cache.withLock({ $0.converter(for: conversion) }) { return kept }
        // Not under the lock: a concurrent call makes another one, and the later stays.
        let memory = LittleCMSMemory(ceiling: LittleCMSMemory.ceiling(forTables: conversion.maxProfileTableBytes))
        guard let made = try Self.makeRowConverter(for: conversion, memory: memory) else { return nil }
        _ = cache.withLock { $0.keep(made, for: conversion) }
        return made
    }

    /// Makes a converter that is not kept. Little CMS allocates from `memory`.
    static func makeRowConverter(
        for conversion: ColorConversion, memory: LittleCMSMemory
    ) throws(ImageError) -> (any KeptRowConverter)? {
        if conversion.channels == .cmyk, conversion.source == .sRGB { return nil }
        let targetHeader = try header(of: conversion.target)
        guard targetHeader?.colorSpace ?? .rgb == .rgb else { return nil }
        let sourceHeader = try header(of: conversion.source)
        let channels = try channels(of: sourceHeader?.colorSpace ?? .rgb, in: conversion)
        let context = try LittleCMSContext(memory)
        defer { memory.freeUnusedReserve() }
        func extract(
            _ profile: ColorProfile, _ header: ProfileHeader?, _ use: ProfileReading.Use, _ channels: DeviceChannels
        ) throws(ImageError) -> ProfileExtract? {
            guard case .icc(let data) = profile, let header else { return nil }
            return try ProfileExtract(
                data, header, use, channelCount: channels.count, maxTableBytes: conversion.maxProfileTableBytes)
        }
        let sourceExtract = try extract(conversion.source, sourceHeader, .source, channels)
        let intent = sourceExtract?.intent ?? .relative
        let targetExtract = try extract(conversion.target, targetHeader, .target(intent), .rgb)
        let source = try LittleCMSProfile(sourceExtract, context)
        let target = try LittleCMSProfile(targetExtract, context)
        func transform(_ format: PixelFormat, isExact: Bool) throws(ImageError) -> LittleCMSTransform {
            try LittleCMSTransform(source, channels, to: target, format: format, isExact: isExact)
        }

        let format = conversion.format
        guard channels != .cmyk else {
            return InkRows(transform: try transform(format, isExact: format != .rgba8), format: format)
        }
        // What becomes a table may take its time.
        let isExact = channels == .gray || format != .rgba8
        let levels = try transform(.rgba8, isExact: isExact)
        if levels.changesNothing { return UnchangedRows() }
        let rows = format == .rgba8 ? levels : try transform(format, isExact: isExact)
        if channels == .gray, conversion.target == .sRGB, let table = GrayRows(rows, format: format) { return table }
        return TransformedRows(transform: rows, format: format)
    }

    /// The header of a profile; nil for sRGB, which has none.
    private static func header(of profile: ColorProfile) throws(ImageError) -> ProfileHeader? {
        guard case .icc(let data) = profile else { return nil }
        return try ProfileHeader(data)
    }

    /// Returns the channels of rows that have the colors of their profile. Throws where they cannot have them.
    private static func channels(
        of colorSpace: ProfileSignature, in conversion: ColorConversion
    ) throws(ImageError) -> DeviceChannels {
        switch (conversion.channels, colorSpace) {
        case (.rgba, .rgb): return .rgb
        case (.rgba, .gray) where conversion.isGray: return .gray
        case (.cmyk, .cmyk): return .cmyk
        default:
            let picture = conversion.channels == .cmyk ? "CMYK" : conversion.isGray ? "gray" : "RGB"
            throw .unusableProfile("is one of \(colorSpace), and the picture is \(picture)")
        }
    }
}
#endif
