import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct RecipeParserTests {
    private func error(_ text: String) -> ImageError? {
        do {
            _ = try RecipeParser.calls(in: text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a recipe is a list of calls with their positions`() throws {
        let calls = try RecipeParser.calls(in: " round( 12 ,color = #ff0000)|flip | stamp()")
        #expect(
            calls == [
                RecipeCall(
                    name: "round",
                    arguments: [
                        .init(label: nil, value: "12", position: 9, valuePosition: 9),
                        .init(label: "color", value: "#ff0000", position: 13, valuePosition: 21),
                    ], position: 2, end: 28),
                RecipeCall(name: "flip", arguments: [], position: 30, end: 35),
                RecipeCall(name: "stamp", arguments: [], position: 37, end: 43),
            ])
    }

    @Test(arguments: [
        ("a|b, c", #""a|b, c""#), ("", #""""#), (" a", #"" a""#), ("say \"hi\"", #""say \"hi\"""#),
        (#"a\"b"#, #""a\\\"b""#), ("a(b)", #""a(b)""#), ("a=b", #""a=b""#), ("\\", "\\"), ("a b", "a b"),
        ("https://a.example/b.png", "https://a.example/b.png"), ("é✓\u{1F600}", "é✓\u{1F600}"), ("\n", "\"\n\""),
        ("\u{301}x", "\u{301}x"), ("x\u{600}", "x\u{600}"), ("\u{301}=\u{600}", "\"\u{301}=\u{600}\""),
    ])
    func `an argument is quoted if it needs quotation marks, and parses back`(value: String, text: String) throws {
        #expect(value.asRecipeArgument == text)
        for recipe in ["caption(\(text),1)", "caption( \(text) , 1 )", "caption(text=\(text),1)"] {
            let calls = try RecipeParser.calls(in: recipe)
            #expect(calls.map { $0.arguments.map(\.value) } == [[value, "1"]], "\(recipe)")
        }
    }

    @Test func `an equals sign after something other than a name is part of a value`() throws {
        let arguments = try RecipeParser.calls(in: "a(https://b.example/?c=d,e=f=g)").first?.arguments
        #expect(arguments?.map(\.label) == [nil, "e"])
        #expect(arguments?.map(\.value) == ["https://b.example/?c=d", "f=g"])
    }

    @Test(arguments: [
        ("", 1, "the name of a transformer is expected, not the end"),
        ("|", 1, "the name of a transformer is expected, not '|'"),
        ("a(1)|", 6, "the name of a transformer is expected, not the end"),
        ("(8x8)", 1, "the name of a transformer is expected, not '('"),
        ("8(8)", 1, "the name of a transformer is expected, not '8'"),
        ("é(8)", 1, "the name of a transformer is expected, not 'é'"),
        ("a(8x8", 6, "',' or ')' is expected, not the end"), ("a(8|b(8)", 4, "',' or ')' is expected, not '|'"),
        ("a(8)x", 5, "'|' or the end is expected, not 'x'"), ("a b", 3, "'|' or the end is expected, not 'b'"),
        ("a(", 3, "a value is expected, not the end"), ("a(,b)", 3, "a value is expected, not ','"),
        ("a(1,)", 5, "a value is expected, not ')'"), ("a(b=)", 5, "a value is expected, not ')'"),
        ("a(\"b", 3, "the closing quotation mark is missing"),
        ("a(\"b\\", 6, "'\"' or '\\' after '\\' is expected, not the end"),
        ("a(\"b\\c\")", 6, "'\"' or '\\' after '\\' is expected, not 'c'"),
        ("a(\"b\"c)", 6, "',' or ')' is expected, not 'c'"), ("a(b\"c\")", 4, "',' or ')' is expected, not '\"'"),
    ])
    func `an error points at the first invalid character`(text: String, position: Int, problem: String) {
        let error = error(text)
        #expect(error?.code == .transformFailed)
        #expect(error?.stage == .resolve)
        #expect(error?.message == "the recipe is invalid at character \(position): \(problem)")
        #expect(error?.advice?.isEmpty == false)
    }

    @Test func `positions are counted in characters, not in bytes`() {
        #expect(error("a(é\u{1F468}\u{200D}\u{1F469})x")?.message.contains("at character 6:") == true)
    }

    @Test func `a recipe that is too long is an error`() throws {
        let longest = String(repeating: " ", count: RecipeParser.maxByteCount - 1) + "a"
        #expect(try RecipeParser.calls(in: longest).map(\.name) == ["a"])
        let error = error(longest + "a")
        #expect(error?.code == .transformFailed)
        #expect(error?.message == "the recipe has 8193 bytes, more than 8192")
    }

    /// Recipes of the maximum length, and the number of their steps and arguments.
    static let absurd: [(text: String, steps: Int, arguments: Int)] = [
        (String(repeating: "a|", count: 4000) + "a", 4001, 0),
        ("a(" + String(repeating: "1,", count: 4000) + "1)", 1, 4001),
        ("a(" + String(repeating: "b=", count: 4000) + ")", 1, 1),
        ("a(" + String(repeating: "\u{0}", count: 8000) + ")", 1, 1), (String(repeating: "a", count: 8192), 1, 0),
        ("a(\"" + String(repeating: "\\\"", count: 4000) + "\")", 1, 1),
    ]

    @Test func `well-formed absurdities are read`() throws {
        for (text, steps, arguments) in Self.absurd {
            let calls = try RecipeParser.calls(in: text)
            #expect(calls.count == steps)
            #expect(calls.reduce(0) { $0 + $1.arguments.count } == arguments)
        }
    }

    @Test(arguments: [
        String(repeating: "(", count: 8000), String(repeating: "\u{301}", count: 4000),
        "a(\"" + String(repeating: "\\\"", count: 4000), String(repeating: "a(", count: 4000),
    ])
    func `malformed absurdities are errors`(text: String) {
        #expect(error(text)?.code == .transformFailed)
    }
}
