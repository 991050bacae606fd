#if COLOR
import CLCMS
import Calotype
import CalotypeColor
import CalotypeTesting
import Foundation
import Testing

/// The installed profiles: those of Debian's `icc-profiles-free` and `colord-data`, if the test script could install
/// them. Each is compared with Little CMS converting by the whole profile.
@Suite(.timeLimit(.minutes(5)))
struct RealProfileTests {
    /// A profile of a device, and the channels of its pictures.
    struct Profile: Sendable, CustomTestStringConvertible {
        let url: URL
        let data: Data
        let channels: RowChannels
        let isGray: Bool

        var testDescription: String { url.lastPathComponent }

        /// Returns nil for a file that is not a profile of gray, RGB, or CMYK.
        init?(_ url: URL) {
            guard let data = try? Data(contentsOf: url), data.count > 128 else { return nil }
            func signature(_ place: Int) -> String { String(decoding: data[place..<place + 4], as: UTF8.self) }
            guard ["scnr", "mntr", "prtr", "spac"].contains(signature(12)) else { return nil }
            switch signature(16) {
            case "RGB ": (channels, isGray) = (.rgba, false)
            case "GRAY": (channels, isGray) = (.rgba, true)
            case "CMYK": (channels, isGray) = (.cmyk, false)
            default: return nil
            }
            (self.url, self.data) = (url, data)
        }

        /// The number of channels.
        var count: Int { isGray ? 1 : channels == .cmyk ? 4 : 3 }
    }

    static let profiles: [Profile] = {
        let directory = URL(filePath: "/usr/share/color/icc", directoryHint: .isDirectory)
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: directory.path())) ?? []
        return paths.sorted().compactMap { Profile(directory.appending(path: $0)) }
    }()

    /// Returns the pixels as converted by Little CMS with the whole profile.
    private func reference(_ pixels: [UInt8], _ profile: Profile) throws -> [UInt8] {
        let source = try #require(
            profile.data.withUnsafeBytes { cmsOpenProfileFromMem($0.baseAddress, UInt32($0.count)) })
        defer { cmsCloseProfile(source) }
        let target = try #require(cmsCreate_sRGBProfile())
        defer { cmsCloseProfile(target) }
        let isOfTables = cmsIsCLUT(source, UInt32(INTENT_PERCEPTUAL), UInt32(LCMS_USED_AS_INPUT)) != 0
        let spaces = [1: PT_GRAY, 3: PT_RGB, 4: PT_CMYK]
        func format(_ count: Int) -> UInt32 { clcms_format(UInt32(spaces[count] ?? 0), UInt32(count), 1, false) }
        let exact = profile.isGray ? cmsFLAGS_NOOPTIMIZE : 0
        let transform = try #require(
            cmsCreateTransform(
                source, format(profile.count), target, format(3),
                UInt32(isOfTables ? INTENT_PERCEPTUAL : INTENT_RELATIVE_COLORIMETRIC),
                UInt32(cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION | exact)))
        defer { cmsDeleteTransform(transform) }
        var made = pixels
        made.withUnsafeMutableBytes { cmsDoTransform(transform, $0.baseAddress, $0.baseAddress, UInt32($0.count / 4)) }
        return made
    }

    @Test(.enabled(if: !profiles.isEmpty, "the system has no profiles"), arguments: profiles)
    func `the extract of a real profile converts like the whole profile`(_ profile: Profile) throws {
        var random = SplitMix64(seed: 7)
        var pixels = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
        if profile.isGray { for index in pixels.indices { pixels[index] = pixels[index - index % 4] } }
        let conversion = ColorConversion(
            source: .icc(profile.data), target: .sRGB, format: .rgba8, channels: profile.channels,
            isGray: profile.isGray)
        let rows = try #require(try LittleCMSColorConverter().rowConverter(for: conversion))
        let made = colors(of: rows.converted(pixels))
        let expected = colors(of: try reference(pixels, profile))
        // A profile close to sRGB changes nothing.
        let largest = made.indices.map { abs(Int(made[$0]) - Int(expected[$0])) }.max()
        #expect(try #require(largest) <= 1)
    }
}
#endif
