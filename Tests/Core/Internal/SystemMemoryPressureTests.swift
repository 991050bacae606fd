import CalotypeTesting
import Dispatch
import Testing

@testable import Calotype

/// The thread that waits for the system's word, and the files that it waits for.
@Suite(.timeLimit(.minutes(5)))
struct SystemMemoryPressureTests {
    /// What happens, in order.
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

    /// A watch through which a test speaks.
    private final class ScriptedWatch: MemoryPressureWatch {
        private let story: Story
        /// Nil for stopping.
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

    @Test func `a thread waits from the first who listens to the last, and again`() async {
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
            #expect(await story.next() == "gone", "with its thread")
        }
    }

    @Test func `who leaves while the thread begins ends it`() async {
        let (story, gate) = (Story(), BlockingGate())
        let source = SystemMemoryPressure {
            gate.pass()
            return ScriptedWatch(story)
        }
        var observations = [source.observe { _ in }]
        await gate.waitForArrivals(1)
        observations.removeAll()
        gate.open()
        #expect(await story.next() == "gone", "and never ran")
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

    @Test func `where the system says nothing nobody is told`() async {
        let story = Story()
        let source = SystemMemoryPressure {
            story.tell("looked")
            return nil
        }
        let observation = source.observe { _ in story.tell("told") }
        #expect(await story.next() == "looked")
        withExtendedLifetime(observation) {}
    }

    // MARK: Files

    /// A control group's folder.
    private func makeGroup(anonymous: Int, events: String = "low 0\nhigh 3\nmax 2\noom 1\n") throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.root, withIntermediateDirectories: true)
        for (name, text) in [
            ("memory.events", events), ("memory.high", "max\n"), ("memory.max", "1000000\n"),
            ("memory.stat", "anon \(anonymous)\nfile 4096\nanon_thp 0\n"),
        ] {
            try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
        }
        return folder
    }

    @Test func `a group at its limit says so when little of its memory can give way`() throws {
        for (anonymous, expected) in [(950_000, .moderate), (100_000, nil)] as [(Int, MemoryPressure?)] {
            let folder = try makeGroup(anonymous: anonymous)
            var group = try #require(GroupMemory(folder: folder.root))
            let files = PressureFiles(stalls: [], group: group)
            let before = group.pressure()
            #expect(before == nil, "what happened before somebody listened is not news")
            // Not atomically: the kernel's file is always the same one.
            try Data("low 0\nhigh 3\nmax 5\noom 1\n".utf8).write(to: URL(filePath: folder.path("memory.events")))
            let after = group.pressure()
            #expect(after == expected)
            let again = group.pressure()
            #expect(again == nil)
            withExtendedLifetime(files) {}
        }
    }

    @Test func `a group that ran out of memory says so whatever it holds`() throws {
        let folder = try makeGroup(anonymous: 0)
        var group = try #require(GroupMemory(folder: folder.root))
        let files = PressureFiles(stalls: [], group: group)
        try Data("low 0\nhigh 3\nmax 2\noom 2\noom_kill 7\n".utf8)
            .write(to: URL(filePath: folder.path("memory.events")))
        let pressure = group.pressure()
        #expect(pressure == .critical)
        withExtendedLifetime(files) {}
    }

    @Test(arguments: ["", "max", "max x\noom\n\n", "max 1 2\n", "oom -1\nhigh 99999999999999999999\n"])
    func `what is no count counts nothing`(text: String) {
        #expect(GroupMemory.Counts(text).atLimit == 0)
        #expect(GroupMemory.Counts(text).outOfMemory <= 0)
    }

    @Test func `the innermost group that has a limit is the one that is told`() throws {
        let (outer, inner) = (try makeGroup(anonymous: 1), try makeGroup(anonymous: 2))
        try Data("max\n".utf8).write(to: URL(filePath: inner.path("memory.max")))
        var group = try #require(GroupMemory.innermost(of: [TemporaryFolder().root, outer.root, inner.root]))
        let files = PressureFiles(stalls: [], group: group)
        try Data("oom 2\n".utf8).write(to: URL(filePath: outer.path("memory.events")))
        let pressure = group.pressure()
        #expect(pressure == .critical)
        #expect(!group.isGone)
        let none = GroupMemory.innermost(of: [inner.root])
        #expect(none == nil)
        withExtendedLifetime(files) {}
    }

    @Test func `a folder that is no group is none`() {
        let group = GroupMemory(folder: TemporaryFolder().root)
        #expect(group == nil)
        let files = PressureFiles(stalls: [], group: nil)
        #expect(files == nil)
    }

    @Test func `a watch that is stopped ends`() throws {
        let folder = try makeGroup(anonymous: 0)
        let group = try #require(GroupMemory(folder: folder.root))
        let files = try #require(PressureFiles(stalls: [], group: group))
        files.stop()
        var signs: [MemoryPressure] = []
        files.run { signs.append($0) }
        #expect(signs.isEmpty)
    }

    @Test func `control groups are looked for from the topmost to the own one`() {
        let text = "12:cpu,memory:/user/me\n3:cpuset:/\n0::/user.slice/a:b.scope\nnonsense\n"
        let folders = ControlGroup.parse(text) { $0.isEmpty ? ["/two"] : [] }
        #expect(folders == ["/two", "/two/user.slice", "/two/user.slice/a:b.scope"])
        let memory = ControlGroup.parse(text) { $0.split(separator: ",").contains("memory") ? ["/one"] : [] }
        #expect(memory == ["/one", "/one/user", "/one/user/me"])
    }
}
