import CalotypeStandard
import CalotypeTesting
import HostileStructures

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Converts a row with hostile profiles, and measures the cost of each.
struct ProfileTrial {
    /// The maximum processor time of a profile, in milliseconds.
    static let mostMilliseconds = 100
    /// The maximum memory of a profile, in bytes.
    static let mostByteCount = 64 << 20

    /// The converter, shared by all profiles as in a service.
    let converter: any ColorConverter
    private let channels: [HostileProfile.Space: RowChannels] = [.gray: .rgba, .rgb: .rgba, .cmyk: .cmyk]

    /// Returns the findings for a seed; empty if the profile is converted or refused within the limits.
    /// - Parameter measures: Whether time and memory are compared with the limits, which requires an optimized build.
    func findings(seed: UInt64, measures: Bool) -> [String] {
        let profile = HostileProfile(seed: seed)
        var findings: [String] = []
        for format in PixelFormat.allCases {
            let start = Self.processorTime()
            let memory = Self.resetPeakMemory()
            findings += finding(profile, format).map { ["seed \(seed), \(format): \($0)"] } ?? []
            guard measures else { continue }
            let milliseconds = (Self.processorTime() - start) / 1_000_000
            if milliseconds > Self.mostMilliseconds {
                findings.append("seed \(seed), \(format): \(milliseconds) ms of the processor")
            }
            if let memory, let peak = Self.status("VmHWM"), peak - memory > Self.mostByteCount {
                findings.append("seed \(seed), \(format): \((peak - memory) >> 20) MiB of memory")
            }
        }
        return findings
    }

    /// Returns the problem with a profile; nil if rows are converted or the proper error is thrown.
    private func finding(_ profile: HostileProfile, _ format: PixelFormat) -> String? {
        let conversion = ColorConversion(
            source: .icc(profile.data), target: .sRGB, format: format, channels: channels[profile.space] ?? .rgba,
            isGray: profile.space == .gray)
        do {
            guard let rows = try converter.rowConverter(for: conversion) else {
                return "neither rows nor an error"
            }
            var row = [UInt8](repeating: 7, count: 64 * format.bytesPerPixel)
            row.withUnsafeMutableBytes { bytes in
                var span = MutableRawSpan(_unsafeBytes: bytes)
                rows.convert(&span)
            }
            return nil
        } catch let error as ImageError {
            return error.code == .badData ? nil : "\(error)"
        } catch {
            return "an error of another kind: \(error)"
        }
    }

    /// Returns the processor time of this process in nanoseconds.
    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    }

    /// Resets the peak memory of the process on Linux. Returns the current memory in bytes; nil if unavailable.
    private static func resetPeakMemory() -> Int? {
        guard (try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))) != nil else { return nil }
        return status("VmRSS")
    }

    /// Returns a field of the process's status, in bytes.
    private static func status(_ name: String) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name + ":") })
        else { return nil }
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }
}
