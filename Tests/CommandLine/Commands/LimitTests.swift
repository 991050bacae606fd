#if PNG && os(Linux)
import Foundation
import Testing

@Suite(
    .timeLimit(.minutes(5)), .enabled(if: !Sandbox.isSanitized, "sanitizers need more than these limits leave them"))
struct LimitTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.add("rgb8", as: "a.png")
    }

    /// Runs the tool under limits.
    private func load(_ limits: String..., arguments: [String] = ["a.png", "-o", "b.png"]) async throws -> Outcome {
        try await sandbox.run(["load"] + arguments, after: limits.map { "ulimit \($0)" })
    }

    /// Expects only a line of advice.
    private func expectRefusal(_ outcome: Outcome, _ advice: String) {
        #expect(!outcome.isSignal)
        #expect(outcome.status == 1)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.hasPrefix("calotype: ") == true)
        #expect(outcome.errors.first?.contains(advice) == true, "\(outcome.errors)")
    }

    // MARK: Descriptors

    @Test(arguments: [4, 5, 6, 7, 20])
    func `too few descriptors are reported at the start`(count: Int) async throws {
        expectRefusal(try await load("-n \(count)"), "ulimit -n")
        #expect(!sandbox.exists("b.png"))
    }

    @Test func `a soft limit is raised if possible`() async throws {
        let outcome = try await load("-S -n 20")
        #expect(outcome.errors.isEmpty)
        #expect(outcome.status == 0)
        #expect(sandbox.exists("b.png"))
    }

    @Test func `more pictures than descriptors can be loaded`() async throws {
        let names = (0..<40).map { "\($0).png" }
        for name in names { try sandbox.add("gray8", as: name) }
        let outcome = try await load("-n 64", arguments: names + ["-o", "out/"])
        #expect(outcome.status == 0)
        #expect(try sandbox.names(in: "out").count == 40)
    }

    // MARK: Memory

    @Test func `an address space that is too small is reported at the start`() async throws {
        expectRefusal(try await load("-v 200000"), "ulimit -v 262144")
    }

    /// The limits in kibibytes. If each thread had its own heap, they would leave too little for threads.
    @Test(arguments: [300_000, 350_000, 500_000, 600_000, 700_000])
    func `pictures can be loaded in a limited address space`(size: Int) async throws {
        for _ in 0..<3 {
            let outcome = try await load("-v \(size)", arguments: ["a.png", "--cache", "none", "-o", "b.png"])
            #expect(outcome.errors.isEmpty)
            #expect(outcome.status == 0)
        }
    }

    @Test func `a file that does not fit into memory is an error`() async throws {
        // A sparse file.
        let size: UInt64 = 220 << 20
        try sandbox.write(Data(), as: "large")
        let file = try #require(FileHandle(forWritingAtPath: sandbox.path("large")))
        try file.truncate(atOffset: size)
        try file.close()
        let outcome = try await sandbox.run(
            ["load", "-", "--set", "maxInputBytes=\(size)"], after: ["ulimit -v 262144", "exec <large"])
        #expect(!outcome.isSignal)
        #expect(outcome.status == 1)
        #expect(outcome.errors.first?.contains("not enough memory for") == true, "\(outcome.errors)")
    }

    // MARK: Threads

    /// With stacks of this size, not even two threads fit into the address space.
    @Test func `too few threads are reported, and no request waits for more`() async throws {
        expectRefusal(try await load("-v 600000", "-s 400000"), "ulimit -u")
    }

    // MARK: Files

    @Test func `a file size limit is an error, and no partial file is left`() async throws {
        let outcome = try await load("-f 1", arguments: ["a.png", "--cache", "none", "-o", "b.png"])
        #expect(!outcome.isSignal)
        #expect(outcome.status == 1)
        #expect(outcome.errors.first?.contains("File too large") == true, "\(outcome.errors)")
        #expect(outcome.errors.first?.contains("ulimit -f") == true)
        #expect(try sandbox.names() == ["a.png"])
    }
}
#endif
