#if COLOR
import CLCMS
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
/// Thread-safe. What is made of the last profiles is kept, a few MiB at most as a rule, so that the pictures of a
/// gallery share it.
public struct LittleCMSColorConverter: ColorConverter {
    private let cache = Lock(ConverterCache())

    /// A converter that remembers nothing yet. Copies of it remember together.
    public init() {}

    /// What converts rows; nil for a target that is not red, green and blue, and for inks without a profile.
    ///
    /// Throws `badData` when a profile is damaged or does not fit the rows, and `outOfMemory`.
    public func rowConverter(for conversion: ColorConversion) throws -> (any RowConverter)? {
        if let kept = cache.withLock({ $0.converter(for: conversion) }) { return kept }
        // Not under the lock: who comes at the same time makes another one, and the later stays.
        guard let made = try Self.makeRowConverter(for: conversion) else { return nil }
        _ = cache.withLock { $0.keep(made, for: conversion) }
        return made
    }

    private static func makeRowConverter(
        for conversion: ColorConversion
    ) throws(ImageError) -> (any RowConverter & Sendable)? {
        if conversion.channels == .cmyk, conversion.source == .sRGB { return nil }
        let context = try LittleCMSContext()
        let target = try LittleCMSProfile(conversion.target, context)
        guard target.colorSpace == cmsSigRgbData else { return nil }
        let source = try LittleCMSProfile(conversion.source, context)
        let channels = try channels(of: source, in: conversion)
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

    /// Where rows have the colours of their profile. Throws where they cannot have them.
    private static func channels(
        of source: LittleCMSProfile, in conversion: ColorConversion
    ) throws(ImageError) -> LittleCMSTransform.Channels {
        switch (conversion.channels, source.colorSpace) {
        case (.rgba, cmsSigRgbData): return .rgb
        case (.rgba, cmsSigGrayData) where conversion.isGray: return .gray
        case (.cmyk, cmsSigCmykData): return .cmyk
        default:
            let picture = conversion.channels == .cmyk ? "CMYK" : conversion.isGray ? "gray" : "RGB"
            throw .unusableProfile("is one of \(source.colorSpaceName), and the picture is \(picture)")
        }
    }
}
#endif
