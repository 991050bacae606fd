import Calotype
import CalotypeFile
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DirectoryListTests {
    @Test func `lists are equal in any order and spelling`() {
        let list: DirectoryList = ["/srv/pictures/", "/a//b/./c", "/srv/pictures"]
        #expect(list.paths == ["/a/b/c", "/srv/pictures"] as [String])
        #expect(list == DirectoryList(["/srv/pictures", "/a/b/c"]))
        #expect(list != DirectoryList(["/srv/pictures"]))
        #expect(DirectoryList(["/a/../b"]).paths == ["/a/../b"] as [String], "the meaning of `..` depends on links")
        #expect(DirectoryList(["//"]).paths == ["/"] as [String])
    }

    @Test func `a relative path starts from the working directory`() {
        let current = FileManager.default.currentDirectoryPath
        #expect(DirectoryList(["pictures"]) == DirectoryList(["\(current)/pictures"]))
        #expect(DirectoryList(["."]) == DirectoryList([current]))
    }

    @Test func `an empty list has no paths, nor has an empty path`() {
        let none: DirectoryList = []
        #expect(none.paths.isEmpty)
        #expect(none.contextText.isEmpty)
        #expect(none == DirectoryList([""]))
    }

    @Test(arguments: [
        ["/srv/pictures"], ["/a", "/b/c"], ["/"], [], ["/with:colon", "/100%", "/%3A"], ["/a b;c=d|e"],
        ["/na\u{EF}ve/\u{65E5}\u{672C}\u{1F600}", "/line\nfeed\u{1}"],
    ])
    func `a list survives a round trip through text`(paths: [String]) {
        let list = DirectoryList(paths)
        #expect(DirectoryList(contextText: list.contextText) == list)
        #expect(list.paths.map { Array($0.utf8) } == paths.sorted(by: Self.isEarlier).map { Array($0.utf8) })
    }

    /// Compares two paths by their context texts, in which a colon sorts after a per cent sign and the escapes.
    private static func isEarlier(_ one: String, _ other: String) -> Bool {
        DirectoryList([one]).contextText < DirectoryList([other]).contextText
    }

    @Test func `two Unicode forms of a letter are two directories`() {
        let (composed, decomposed) = (DirectoryList(["/\u{E9}"]), DirectoryList(["/e\u{301}"]))
        #expect(composed != decomposed)
        #expect(composed.contextText == "/%C3%A9")
        #expect(DirectoryList(["/\u{E9}", "/e\u{301}"]).paths.count == 2)
    }

    @Test(arguments: [
        ("/a:/b", ["/a", "/b"]), ("/b:/a:/b/", ["/a", "/b"]), ("/a%3Ab", ["/a:b"]), ("/a%3ab", ["/a:b"]),
        ("/\u{E9}", ["/\u{E9}"]), ("", []),
    ])
    func `a list is parsed from text`(text: String, paths: [String]) {
        #expect(DirectoryList(contextText: text)?.paths == paths)
    }

    @Test(arguments: [":", "/a:", ":/a", "/a::/b", "/100%", "/%4", "/%zz", "/%+1", "/%FF"])
    func `an invalid text is rejected`(text: String) {
        #expect(DirectoryList(contextText: text) == nil)
    }

    @Test func `the key can be set by name, and none allows all directories`() throws {
        let registry = ImageManager(plugins: [.file]).registry
        func directories(_ text: String) throws -> DirectoryList? {
            ImageContext([try registry.setting(named: "allowedDirectories", text: text)])[.allowedDirectories] ?? nil
        }
        #expect(try directories("/a:/b") == DirectoryList(["/a", "/b"]))
        #expect(try directories("none") == nil)
        #expect(try directories("") == DirectoryList([]))
        let error = #expect(throws: ImageError.self) { try directories("/a::") }
        #expect(error?.advice?.contains("%3A for a colon") == true)
    }
}
