import Testing

@testable import Calotype

struct CacheTagsTests {
    @Test(
        arguments: [
            ([], ""), (["b", "a"], "a,b"), (["album 7", "a"], "a,album%207"), ([","], "%2C"), (["50%"], "50%25"),
            (["a\0\n"], "a%00%0A"), (["a\u{2003}b"], "a%E2%80%83b"),
            (["caf\u{e9}", "\u{1f5bc}"], "caf\u{e9},\u{1f5bc}"),
            (["a", "\u{301}b"], "a,\u{301}b"),
        ] as [([String], String)])
    func `tags can be written, and read back`(names: [String], text: String) {
        let tags = CacheTags(names)
        #expect(tags.names == Set(names))
        #expect(tags.contextText == text)
        #expect(CacheTags(contextText: text) == tags)
    }

    @Test func `tags that differ only in Unicode composition are equal`() {
        #expect(CacheTags(["\u{e9}"]) == ["e\u{301}"])
    }

    @Test func `an empty tag is ignored`() {
        #expect(CacheTags(["", "a"]) == ["a"])
        #expect(CacheTags(contextText: ",a,,") == ["a"])
        #expect(CacheTags(contextText: "%2c,a") == [",", "a"])
    }

    @Test(arguments: ["a b", " a", "a\n", "a\0", "a,\tb", "a\u{2003}b", "%zz", "%", "a%2", "%+1", "%ff", "a,%"])
    func `white space, control characters and broken escapes are refused`(text: String) {
        #expect(CacheTags(contextText: text) == nil)
    }
}
