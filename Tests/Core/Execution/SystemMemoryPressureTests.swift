import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The thread that waits for memory pressure, and the files that it watches.
@Suite(.timeLimit(.minutes(5)))
struct SystemMemoryPressureTests {
    /// A sequence of events.
    private struct Story: Sendable {
        private let events: AsyncStream<String>
        private let continuation: AsyncStream<String>.Continuation

        init() {
            let made = AsyncStream<String>.makeStream()
            events = made.stream
            continuation = made.continuation
        }

        func tell(_ event: String) { continuation.yield(event) }

        func next() async -> String? {
            for await event in events { return event }
            return nil
        }
    }

    /// A watch that is controlled by the test.
    private final class ScriptedWatch: MemoryPressureWatch {
        private let story: Story
        /// The signals to send; nil stops the watch.
        private let signs = Lock<[MemoryPressure?]>([])
        private let count = DispatchSemaphore(value: 0)

        init(_ story: Story) { self.story = story }

        deinit { story.tell("gone") }

        func run(_ body: (MemoryPressure) -> Void) {
            story.tell("runs")
            while true {
                count.wait()
                guard let sign = signs.withLock({ $0.removeFirst() }) else { return }
                body(sign)
            }
        }

        func stop() { say(nil) }

        func say(_ sign: MemoryPressure?) {
            signs.withLock { $0.append(sign) }
            count.signal()
        }
    }

    @Test func `a thread waits from the first listener to the last, and again`() async {
        let story = Story()
        let watch = Lock<ScriptedWatch?>(nil)
        let source = SystemMemoryPressure {
            let made = ScriptedWatch(story)
            watch.withLock { $0 = made }
            return made
        }
        func say(_ sign: MemoryPressure) { watch.withLock { $0 }?.say(sign) }

        for _ in 0..<2 {
            var observations = [source.observe { story.tell("one: \($0)") }]
            #expect(await story.next() == "runs")
            say(.moderate)
            #expect(await story.next() == "one: moderate")
            observations.append(source.observe { story.tell("two: \($0)") })
            say(.critical)
            let both = [await story.next(), await story.next()]
            #expect(Set(both) == ["one: critical", "two: critical"])
            observations.removeFirst()
            say(.moderate)
            #expect(await story.next() == "two: moderate")
            observations.removeAll()
            watch.withLock { $0 = nil }
            #expect(await story.next() == "gone", "the watch is released with its thread")
        }
    }

    @Test func `the thread ends if its listener leaves while it starts`() async {
        let (story, gate) = (Story(), BlockingGate())
        let source = SystemMemoryPressure {
            gate.pass()
            return ScriptedWatch(story)
        }
        var observations = [source.observe { _ in }]
        await gate.waitForArrivals(1)
        observations.removeAll()
        gate.open()
        #expect(await story.next() == "gone", "the thread ended without running the watch")
    }

    @Test func `an observer may end its own observation`() async {
        let story = Story()
        let watch = Lock<ScriptedWatch?>(nil)
        let source = SystemMemoryPressure {
            let made = ScriptedWatch(story)
            watch.withLock { $0 = made }
            return made
        }
        let observation = Lock<MemoryPressureObservation?>(nil)
        observation.withLock { own in
            own = source.observe { _ in
                story.tell("told")
                let taken = observation.withLock { own -> MemoryPressureObservation? in
                    defer { own = nil }
                    return own
                }
                withExtendedLifetime(taken) {}
            }
        }
        #expect(await story.next() == "runs")
        watch.withLock { $0 }?.say(.moderate)
        watch.withLock { $0 = nil }
        #expect(await story.next() == "told")
        #expect(await story.next() == "gone")
    }

    @Test func `without a system interface no listener is notified`() async {
        let story = Story()
        let source = SystemMemoryPressure {
            story.tell("looked")
            return nil
        }
        var observations = [source.observe { _ in story.tell("told") }]
        #expect(await story.next() == "looked")
        observations.removeAll()
        observations.append(source.observe { _ in story.tell("told") })
        story.tell("end")
        #expect(await story.next() == "end", "no listener was called, and no thread watched again")
        withExtendedLifetime(observations) {}
    }

    // MARK: Files

    /// A file that is polled like those of the kernel: one end of a terminal, which is notified of each flush of the
    /// other.
    private final class ScriptedStall: Sendable {
        /// The descriptor, which is closed by the watch.
        let descriptor: Int32
        private let other: Int32

        init() throws {
            var (descriptor, other): (Int32, Int32) = (-1, -1)
            guard openpty(&descriptor, &other, nil, nil, nil) == 0 else { throw CocoaError(.fileNoSuchFile) }
            for end in [descriptor, other] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            var isTold: Int32 = 1
            _ = ioctl(descriptor, UInt(TIOCPKT), &isTold)
            self.descriptor = descriptor
            self.other = other
        }

        func say() { tcflush(other, TCIFLUSH) }

        /// Clears the notification, if there is one. The kernel's files do this by themselves.
        func clear() {
            var status: UInt8 = 0
            _ = read(descriptor, &status, 1)
        }

        /// Removes the file. Called once.
        func go() { close(other) }
    }

    @Test func `each pressure file is reported until it is removed, the worst of several`() throws {
        let (some, all) = (try ScriptedStall(), try ScriptedStall())
        let files = try #require(
            PressureFiles(
                stalls: [
                    .init(descriptor: some.descriptor, pressure: .moderate),
                    .init(descriptor: all.descriptor, pressure: .critical),
                ], group: nil))
        var signs: [MemoryPressure] = []
        some.say()
        // Returns when both files are removed.
        files.run { sign in
            signs.append(sign)
            some.clear()
            switch signs.count {
            case 1: all.say()
            case 2:
                all.clear()
                some.say()
                all.say()
            case 3:
                all.clear()
                some.go()
                all.say()
            default:
                all.clear()
                all.go()
            }
        }
        #expect(signs == [.moderate, .critical, .critical, .critical])
    }

    @Test func `a removed pressure file does not keep others from being stopped`() throws {
        let (some, all) = (try ScriptedStall(), try ScriptedStall())
        let files = try #require(
            PressureFiles(
                stalls: [
                    .init(descriptor: some.descriptor, pressure: .moderate),
                    .init(descriptor: all.descriptor, pressure: .critical),
                ], group: nil))
        all.go()
        some.say()
        var signs: [MemoryPressure] = []
        files.run { sign in
            signs.append(sign)
            files.stop()
        }
        #expect(signs == [.moderate])
        some.go()
    }

    /// Creates the directory of a group with a pressure file. The file is regular, so a threshold overwrites only the
    /// beginning of longer contents.
    private func makePressureDirectory() throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.root, withIntermediateDirectories: true)
        try directory.write(Data(), to: directory.path("memory.pressure"))
        return directory
    }

    private func text(_ directory: TemporaryDirectory) throws -> String {
        try String(contentsOf: URL(filePath: directory.path("memory.pressure")), encoding: .utf8)
    }

    @Test func `thresholds go into the file of the innermost group, unless another is named`() throws {
        let (outer, inner, named) = (
            try makePressureDirectory(), try makePressureDirectory(), try makePressureDirectory()
        )
        func choose(_ watch: String?, _ write: String? = nil) -> [MemoryPressure]? {
            PressureFiles.chosen(
                watch: watch, write: write, groups: [outer.root, inner.root, TemporaryDirectory().root])?
                .stalls.map(\.pressure)
        }
        #expect(choose(nil) == [.moderate, .critical])
        #expect(try text(inner) == "full 200000 2000000\0")
        #expect(try text(outer).isEmpty)
        let threshold = Data("some 150000 1000000, as somebody wrote".utf8).base64EncodedString()
        #expect(choose(named.path("memory.pressure"), threshold) == [.moderate, .critical])
        #expect(try text(named) == "full 200000 2000000\0 as somebody wrote")
        #expect(try text(outer).isEmpty)
    }

    @Test func `an unusable file disables pressure monitoring`() throws {
        let group = try makePressureDirectory()
        let pipe = group.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for watch in ["/dev/null", "/dev/zero", pipe, group.root, group.path("none")] {
            let files = PressureFiles.chosen(watch: watch, write: nil, groups: [group.root])
            #expect(files == nil)
        }
        #expect(try text(group).isEmpty)
    }

    /// Creates a control group's directory.
    private func makeGroup(anonymous: Int, events: String = "low 0\nhigh 3\nmax 2\noom 1\n") throws
        -> TemporaryDirectory
    {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.root, withIntermediateDirectories: true)
        for (name, text) in [
            ("memory.events", events), ("memory.high", "max\n"), ("memory.max", "1000000\n"),
            ("memory.stat", "anon \(anonymous)\nfile 4096\nanon_thp 0\n"),
        ] {
            try Data(text.utf8).write(to: URL(filePath: directory.path(name)))
        }
        return directory
    }

    @Test func `a group at its limit reports pressure if little of its memory can be reclaimed`() throws {
        for (anonymous, expected) in [(950_000, .moderate), (100_000, nil)] as [(Int, MemoryPressure?)] {
            let directory = try makeGroup(anonymous: anonymous)
            var group = try #require(GroupMemory(directory: directory.root))
            let files = PressureFiles(stalls: [], group: group)
            let before = group.pressure()
            #expect(before == nil, "events before the first listener are not reported")
            // Not atomically, since the kernel's file is never replaced.
            try Data("low 0\nhigh 3\nmax 5\noom 1\n".utf8).write(to: URL(filePath: directory.path("memory.events")))
            let after = group.pressure()
            #expect(after == expected)
            let again = group.pressure()
            #expect(again == nil)
            withExtendedLifetime(files) {}
        }
    }

    @Test func `a group that ran out of memory reports critical pressure in any case`() throws {
        let directory = try makeGroup(anonymous: 0)
        var group = try #require(GroupMemory(directory: directory.root))
        let files = PressureFiles(stalls: [], group: group)
        try Data("low 0\nhigh 3\nmax 2\noom 2\noom_kill 7\n".utf8)
            .write(to: URL(filePath: directory.path("memory.events")))
        let pressure = group.pressure()
        #expect(pressure == .critical)
        withExtendedLifetime(files) {}
    }

    @Test(arguments: ["", "max", "max x\noom\n\n", "max 1 2\n", "oom -1\nhigh 99999999999999999999\n"])
    func `an invalid count is read as zero`(text: String) {
        #expect(GroupMemory.Counts(text).atLimit == 0)
        #expect(GroupMemory.Counts(text).outOfMemory <= 0)
    }

    @Test func `the innermost group with a limit is observed`() throws {
        let (outer, inner) = (try makeGroup(anonymous: 1), try makeGroup(anonymous: 2))
        try Data("max\n".utf8).write(to: URL(filePath: inner.path("memory.max")))
        var group = try #require(GroupMemory.innermost(of: [TemporaryDirectory().root, outer.root, inner.root]))
        let files = PressureFiles(stalls: [], group: group)
        try Data("oom 2\n".utf8).write(to: URL(filePath: outer.path("memory.events")))
        let pressure = group.pressure()
        #expect(pressure == .critical)
        #expect(!group.isGone)
        let none = GroupMemory.innermost(of: [inner.root])
        #expect(none == nil)
        withExtendedLifetime(files) {}
    }

    /// Writes the events of a group. Not atomically, since the kernel's file is never replaced.
    private func happen(_ events: String, in directory: TemporaryDirectory) {
        #expect(throws: Never.self) { try Data(events.utf8).write(to: URL(filePath: directory.path("memory.events"))) }
    }

    @Test func `a group reports each new event until it is removed`() throws {
        let directory = try makeGroup(anonymous: 950_000)
        let (told, pipe) = (try ScriptedStall(), try #require(WakePipe()))
        defer { told.go() }
        let group = try #require(GroupMemory(directory: directory.root, polling: told.descriptor))
        // A short pause, which nevertheless elapses completely each time.
        let files = try #require(PressureFiles(stalls: [], group: group, pause: .milliseconds(1)))
        happen("high 3\nmax 5\noom 1\n", in: directory)
        told.say()
        var signs: [MemoryPressure] = []
        // Returns when the group is removed.
        files.run { sign in
            signs.append(sign)
            told.clear()
            switch signs.count {
            case 1: happen("high 3\nmax 5\noom 2\n", in: directory)
            case 2: happen("high 4\nmax 5\noom 2\n", in: directory)
            // An unreadable file, like those of a removed group.
            default: #expect(dup2(pipe.readEnd, group.file) == group.file)
            }
            told.say()
        }
        #expect(signs == [.moderate, .critical, .moderate])
    }

    @Test func `a group that reported pressure is ignored for a while, and other files are not`() throws {
        let directory = try makeGroup(anonymous: 0)
        let (told, some) = (try ScriptedStall(), try ScriptedStall())
        defer { for stall in [told, some] { stall.go() } }
        let group = try #require(GroupMemory(directory: directory.root, polling: told.descriptor))
        let files = try #require(
            PressureFiles(
                stalls: [.init(descriptor: some.descriptor, pressure: .moderate)], group: group,
                pause: .seconds(86_400)))
        happen("oom 2\n", in: directory)
        told.say()
        var signs: [MemoryPressure] = []
        files.run { sign in
            signs.append(sign)
            if signs.count == 1 {
                happen("oom 3\n", in: directory)
                some.say()
            } else {
                files.stop()
            }
        }
        #expect(signs == [.critical, .moderate])
    }

    @Test func `a directory that is not a control group is rejected`() {
        let group = GroupMemory(directory: TemporaryDirectory().root)
        #expect(group == nil)
        let files = PressureFiles(stalls: [], group: nil)
        #expect(files == nil)
    }

    @Test func `a stopped watch ends`() throws {
        let directory = try makeGroup(anonymous: 0)
        let group = try #require(GroupMemory(directory: directory.root))
        let files = try #require(PressureFiles(stalls: [], group: group))
        files.stop()
        var signs: [MemoryPressure] = []
        files.run { signs.append($0) }
        #expect(signs.isEmpty)
    }

    @Test func `control groups are listed from the root to the process's own`() {
        let text = "12:cpu,memory:/user/me\n3:cpuset:/\n0::/user.slice/a:b.scope\nnonsense\n"
        let directories = ControlGroup.parse(text) { $0.isEmpty ? ["/two"] : [] }
        #expect(directories == ["/two", "/two/user.slice", "/two/user.slice/a:b.scope"])
        let memory = ControlGroup.parse(text) { $0.split(separator: ",").contains("memory") ? ["/one"] : [] }
        #expect(memory == ["/one", "/one/user", "/one/user/me"])
    }
}
