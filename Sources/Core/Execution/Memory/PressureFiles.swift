#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The kernel's files that report shortages of memory: how long tasks wait for memory, and how close a control group is
/// to its limit.
///
/// Source: the kernel's documentation of pressure stall information and of control groups. A threshold is a waiting
/// time within a time window. After a threshold has been written into an open file, the file can be polled.
/// Unprivileged processes may use windows whose length is a multiple of two seconds.
final class PressureFiles: MemoryPressureWatch {
    /// A file with a threshold, and the pressure that is reported when the threshold is exceeded.
    struct Stall {
        let descriptor: Int32
        let pressure: MemoryPressure
    }

    /// The threshold of moderate pressure: at least one task waits for memory during 200 of 2,000 milliseconds. This is
    /// systemd's default for services.
    private static let moderateThreshold = "some 200000 2000000"
    /// The threshold of critical pressure: all tasks wait for memory at the same time during 200 of 2,000 milliseconds.
    private static let criticalThreshold = "full 200000 2000000"
    private let stopping: WakePipe
    let stalls: [Stall]
    private let group: GroupMemory?
    private let pause: Duration

    /// Creates a watch that closes the given files when it is released. If there is nothing to watch, or if the system
    /// cannot make a pipe for ``stop()``, closes them at once and returns nil.
    /// - Parameter pause: The time for which the group is not polled after an event. Without the pause, the group could
    ///   report a hundred events a second.
    init?(stalls: [Stall], group: GroupMemory?, pause: Duration = .seconds(2)) {
        guard !stalls.isEmpty || group != nil, let stopping = WakePipe() else {
            Self.closeFiles(of: stalls, group)
            return nil
        }
        self.stopping = stopping
        self.stalls = stalls
        self.group = group
        self.pause = pause
    }

    deinit { Self.closeFiles(of: stalls, group) }

    private static func closeFiles(of stalls: [Stall], _ group: GroupMemory?) {
        for stall in stalls { close(stall.descriptor) }
        group?.closeFiles()
    }

    /// Returns a watch of the files that apply to this process. Returns nil if no file can be watched, or if the
    /// environment of the process disables the watch.
    ///
    /// The thresholds are set in the file of the innermost control group whose file accepts them, or else in the file
    /// of the machine.
    ///
    /// Source: systemd, "Memory Pressure Handling". The environment variable `MEMORY_PRESSURE_WATCH` names the file to
    /// watch, `/dev/null` for none. `MEMORY_PRESSURE_WRITE` contains the threshold to write into it, as base 64.
    static func ofProcess() -> PressureFiles? {
        let told = ["WATCH", "WRITE"].map { name in getenv("MEMORY_PRESSURE_\(name)").map { String(cString: $0) } }
        return chosen(watch: told[0], write: told[1], groups: ControlGroup.directories)
    }

    /// Returns the watch of ``ofProcess()`` for a process with the given environment and control groups.
    /// - Parameters:
    ///   - watch: The value of `MEMORY_PRESSURE_WATCH`; nil if the variable is not set.
    ///   - write: The value of `MEMORY_PRESSURE_WRITE`; nil if the variable is not set.
    ///   - groups: The directories of the process's control groups, from the topmost group to its own.
    static func chosen(watch: String?, write: String?, groups: [String]) -> PressureFiles? {
        guard watch != "/dev/null" else { return nil }
        let own = groups.reversed().map { "\($0)/memory.pressure" } + ["/proc/pressure/memory"]
        let threshold = write.flatMap { Data(base64Encoded: $0) }
        let stalls = armed(
            firstOf: watch.map { [$0] } ?? own, moderate: threshold.map { Array($0) } ?? bytes(moderateThreshold))
        return PressureFiles(stalls: stalls, group: GroupMemory.innermost(of: groups))
    }

    /// Sets the thresholds in the first file that accepts them. Returns one open file for each threshold that was set.
    private static func armed(firstOf paths: [String], moderate: [UInt8]) -> [Stall] {
        for path in paths {
            guard let descriptor = file(path, with: moderate) else { continue }
            let stall = Stall(descriptor: descriptor, pressure: .moderate)
            guard let other = file(path, with: bytes(criticalThreshold)) else { return [stall] }
            return [stall, Stall(descriptor: other, pressure: .critical)]
        }
        return []
    }

    /// Opens a regular file and writes a threshold into it. Returns its descriptor, or nil if a step fails.
    private static func file(_ path: String, with threshold: [UInt8]) -> Int32? {
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            write(descriptor, threshold, threshold.count) == threshold.count
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Returns a text in the form that the kernel requires, with a zero byte at its end.
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    func stop() { stopping.wake() }

    func run(_ body: (MemoryPressure) -> Void) {
        var stalls = stalls
        var group = group
        let clock = SystemTime()
        var pauseEnd = Duration.zero
        while !stalls.isEmpty || group != nil {
            let rest = pauseEnd - clock.now()
            let isPausing = group != nil && rest > .zero
            var entries = [pollfd(fd: stopping.readEnd, events: Int16(POLLIN), revents: 0)]
            for stall in stalls { entries.append(pollfd(fd: stall.descriptor, events: Int16(POLLPRI), revents: 0)) }
            // `poll` ignores a negative descriptor.
            let last: Int32 = isPausing ? -1 : group?.descriptor ?? -1
            entries.append(pollfd(fd: last, events: Int16(POLLPRI), revents: 0))
            let timeout = isPausing ? Int32(rest.milliseconds.rounded(.up)) : -1
            guard poll(&entries, nfds_t(entries.count), timeout) >= 0 || errno == EINTR, entries[0].revents == 0 else {
                return
            }
            var signs: [MemoryPressure] = []
            for index in stalls.indices.reversed() {
                let found = Int32(entries[index + 1].revents)
                if found & (POLLERR | POLLHUP | POLLNVAL) != 0 {
                    // The control group of the file no longer exists.
                    stalls.remove(at: index)
                } else if found & POLLPRI != 0 {
                    signs.append(stalls[index].pressure)
                }
            }
            if Int32(entries[entries.count - 1].revents) & POLLPRI != 0 {
                if let sign = group?.pressure() { signs.append(sign) }
                if group?.isGone == true { group = nil }
                pauseEnd = clock.now() + pause
            }
            if !signs.isEmpty { body(signs.contains(.critical) ? .critical : .moderate) }
        }
    }
}
