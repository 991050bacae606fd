#if PNG
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LoadOutputTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func `only the thumbnail is written to the output file`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run("load", "a.png", "--thumbnail", "16x16", "-o", "thumb.png")
        let info = try #require(try await sandbox.info("thumb.png"))
        #expect(outcome.status == 0)
        #expect(info.width == 16)
        #expect(info.height == 9)
        #expect(try sandbox.names() == ["a.png", "thumb.png"])
    }

    @Test func `an existing file is replaced, and a link is followed`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        try sandbox.add("gray8", as: "old.png")
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.path("link.png"), withDestinationPath: sandbox.path("old.png"))
        let outcome = try await sandbox.run("load", "a.png", "-o", "link.png")
        #expect(outcome.status == 0)
        #expect(try await sandbox.info("old.png")?.colorModel == "rgb")
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: sandbox.path("link.png"))
        #expect(target == sandbox.path("old.png"))
    }

    @Test func `a link that leads nowhere is replaced by the file`() async throws {
        // `stat` finds no file, but `link` fails: the file first gets a temporary name.
        try sandbox.add("rgb8", as: "a.png")
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.path("link.png"), withDestinationPath: sandbox.path("missing.png"))
        let outcome = try await sandbox.run("load", "a.png", "-o", "link.png")
        #expect(outcome.status == 0)
        #expect(try await sandbox.info("link.png")?.colorModel == "rgb")
        let attributes = try FileManager.default.attributesOfItem(atPath: sandbox.path("link.png"))
        #expect(attributes[.type] as? FileAttributeType == .typeRegular)
        #expect(try sandbox.names() == ["a.png", "link.png"])
    }

    @Test func `several sources are written to a directory under different names`() async throws {
        for name in ["x/a.png", "y/a.png", "z/A.png", "b.png"] { try sandbox.add("rgb8", as: name) }
        let outcome = try await sandbox.run("load", "x/a.png", "y/a.png", "z/A.png", "b.png", "-o", "out/below")
        #expect(outcome.status == 0)
        #expect(try sandbox.names(in: "out/below") == ["A-3.png", "a-2.png", "a.png", "b.png"])
    }

    @Test func `a single source is written to an existing directory or one with a trailing slash`() async throws {
        try sandbox.add("rgb8", as: "a.tar.png")
        try sandbox.add("rgb8", as: "there/other.png")
        for directory in ["there", "new/"] {
            let outcome = try await sandbox.run("load", "a.tar.png", "-o", directory)
            #expect(outcome.status == 0)
            #expect(try sandbox.names(in: directory).contains("a.tar.png"))
        }
    }

    @Test func `a source is never overwritten by an output in its directory`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run("load", "a.png", "--thumbnail", "16x16", "-o", ".")
        #expect(outcome.status == 0)
        let before = try Sandbox.fixture("rgb8")
        #expect(sandbox.data("a.png") == before)
        #expect(try sandbox.names() == ["a-2.png", "a.png"])
    }

    @Test func `standard input is written to a directory under its own name`() async throws {
        let outcome = try await sandbox.run("load", "-", "-o", "out/", input: Sandbox.fixture("rgb8"))
        #expect(outcome.status == 0)
        #expect(try sandbox.names(in: "out") == ["stdin.png"])
    }

    @Test func `good sources are written even if another fails`() async throws {
        try sandbox.add("rgb8", as: "good.png")
        let outcome = try await sandbox.run("load", "missing.png", "good.png", "-o", "out")
        #expect(outcome.status == 1)
        #expect(try sandbox.names(in: "out") == ["good.png"])
    }

    @Test func `a file that cannot be written is an error that leaves nothing behind`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run("load", "a.png", "-o", "nowhere/b.png")
        #expect(outcome.status == 1)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.hasPrefix("calotype: a.png: cannot write to 'nowhere/b.png': ") == true)
        #expect(try sandbox.names() == ["a.png"])
    }

    @Test func `a file in the place of the directory is an error before anything is loaded`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        try sandbox.add("rgb8", as: "b.png")
        let outcome = try await sandbox.run("load", "a.png", "b.png", "-o", "a.png")
        #expect(outcome.status == 1)
        #expect(outcome.lines.isEmpty)
        let before = try Sandbox.fixture("rgb8")
        #expect(sandbox.data("a.png") == before)
    }

    @Test func `the format follows the extension, unless one is given`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        let byExtension = try await sandbox.run("load", "a.png", "-o", "upper.PNG")
        let byName = try await sandbox.run("load", "a.png", "-o", "b.dat", "--format", "png")
        let bySource = try await sandbox.run("load", "a.png", "-o", "plain")
        #expect([byExtension, byName, bySource].map(\.status) == [0, 0, 0])
        for name in ["upper.PNG", "b.dat", "plain"] { #expect(try await sandbox.info(name)?.format == "png") }
    }

    @Test(arguments: [["-o", "b.xyz"], ["-o", "b.png", "--format", "xyz"]])
    func `the error for an unwritable format lists the writable ones`(options: [String]) async throws {
        try sandbox.add("rgb8", as: "a.png")
        let outcome = try await sandbox.run(["load", "a.png"] + options)
        #expect(outcome.status == 64)
        #expect(outcome.errors.count == 1)
        #expect(outcome.errors.first?.contains("xyz") == true)
        #expect(outcome.errors.first?.contains("png") == true)
        #expect(try sandbox.names() == ["a.png"])
    }

    @Test func `temporary files of killed processes are removed after a day, and no others`() async throws {
        try sandbox.add("rgb8", as: "a.png")
        try sandbox.add("gray8", as: "out.png")
        let old = Date(timeIntervalSinceNow: -2 * 24 * 60 * 60)
        for name in [".calotype-1-2", ".calotype-new", ".calotypes", "calotype-1"] {
            try sandbox.write(Data([1]), as: name)
            guard name != ".calotype-new" else { continue }
            try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: sandbox.path(name))
        }
        // A file that replaces another one first gets a temporary name.
        let outcome = try await sandbox.run("load", "a.png", "-o", "out.png")
        #expect(outcome.status == 0)
        #expect(try sandbox.names() == [".calotype-new", ".calotypes", "a.png", "calotype-1", "out.png"])
    }
}
#endif
