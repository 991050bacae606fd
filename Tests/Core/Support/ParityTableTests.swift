import Foundation
import Testing

/// Checks the table in `Tests/PARITY.md` against the existing tests.
@Suite(.timeLimit(.minutes(5)))
struct ParityTableTests {
    /// The expected rows of the table, in order. A row for several cases has a range as its name.
    private static let expected = """
        M01 M02 M03 M06 M07 M08 M09 M10 M11 M12 M13 M13b M14 M15 M15b M16 M17 M18 M19 M20 M21 M22

        P01 P02 P03 P04 P05 P06 P07

        D01 D02 D03 D04 D05 D06 D07 D08 D09 D10 D11 D11b D12 D13 D14 D15 D17 D18 D19 D20 D21 D22 D23 D24 D24b D24c
        D25a D25b D25c D26 D27 D28 D29a D29b D30 D31 D31b D40 D41

        C01 C02 C03 C04 C05 C06 C07 C08 C09 C10 C11 C12 C13 C14 C15 C20 C21 C31 C32 C33 C34 C35 C36 C37 C40 C41 C41b
        C41c C42-1 C42-2 C42-3 C42-4 C42-5 C42b C43 C43b C44 C45 C46 C47 C48 C49 C49b C50 C51 C52 C53 C54 C55 C56 C57
        C58

        K01 K02 K03 K04 K05 K06 K07 K07b K07c K08 K09 K10 K11 K12 K12b K13 K14 K15 K16 K17 K18 K19 K20 K21 K22 K23 K24
        K25 K26 K27 K28 K28b K29 K30 K30b K31 K32 K33 K34

        T01 T02 T03 T04 T05 T06 T07 T08 T09 T10 T20 T21 T22

        A01 A02 A03 A04 A05 A06 A08 A09 A10 A11 A12 A13 A14 A20 A21 A22 A23 A24 A25 A26 A27 A28 A29 A30 A31 A32 A33 A34
        A35 A36 A37 A38

        V01 V02 V03-V10 V11 V12 V13 V14 V15 V16 V17 V18 V19 V20 V21 V22 V23 V24 V25 V26 V27

        U01 U02 U03 U04 U05 U06 U07 G01 G02 G03

        W01 W02 W11 W12 W22 W33 W34 W45 W46 W50 W51 W52 W53 W54 W55 W56 W57 H11 H19 H45
        V-AVIF V-AVIF2 V-AVIF3 V-AVIF4 Ph1 Ph2 Ph3 Ph4 SU1-SU6 YY1-YY8

        O00 O01 O02 O03 O04 O05 O06 O07 O08 O09 O10 O11 O12 O13 O14 O15 O16 O17 O18 O19 O20 O21 O22 O23 O24 O25 OD02
        OD03

        X01 X02 X03 X04 X05 X06 X07 X08 X09 X10 X11 X12 X13 X14 X15 X16 X17 X18 X19 X20 X21 X22 X23 X24 X25 X26 X27
        X28 X29 X30 X31 X32

        N01 N02 N03 N04 N05 N06 N07 N08 N09

        Q01 Q02 Q03 Q04 Q05

        R01 R02 R03 R04 R05 R06 R07

        KEY1 KEY2 KEY3 KEY4 KEY5 KEY6 KEY7

        SC1 SC2 SC3 SC4 SC5

        SZ1 SZ2 SZ3 SZ4 SZ5 SZ6 SZ7 SZ8 SZ9

        L01 L02 L03 L04 L05

        a b c d e f g h i j k l m n o p q r s t u v w x y z
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    /// The themes that a deferred row may name.
    private static let themes: Set<String> = [
        "HTTP loading", "caches", "manager", "WebP", "GIF", "HEIF",
        "transformers", "animation", "presentation", "plugins",
    ]

    // MARK: The table

    @Test func `every row is there, once and in order`() throws {
        let names = try Self.rows().map(\.name)
        for (name, rows) in Dictionary(grouping: names, by: \.self) where rows.count > 1 {
            Issue.record("the row \(name) occurs \(rows.count) times")
        }
        for name in Set(Self.expected).subtracting(names).sorted() { Issue.record("the row \(name) is missing") }
        for name in Set(names).subtracting(Self.expected).sorted() { Issue.record("the row \(name) is unknown") }
        #expect(names == Self.expected, "the rows are out of order")
    }

    @Test func `every row has an expectation and a status`() throws {
        for row in try Self.rows() {
            #expect(!row.expectation.isEmpty, "the row \(row.name) has no expectation")
            let isValid = row.status != nil
            #expect(isValid, "the row \(row.name) has an invalid status: \(row.statusText)")
        }
    }

    @Test func `every test that a row names exists`() throws {
        let tests = try Self.testsInSource()
        #expect(tests.count > 100, "too few tests were found")
        for row in try Self.rows() {
            guard case .shown(let names)? = row.status else { continue }
            for name in names {
                #expect(tests.contains(name), "the row \(row.name) names '\(name)', which does not exist")
            }
        }
    }

    @Test func `every suite named in SECURITY.md exists`() throws {
        let page = Self.directory.deletingLastPathComponent().appending(path: "SECURITY.md")
        let quoted = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "`")
        let suites = Set(quoted.indices.filter { $0 % 2 == 1 }.map { quoted[$0] }.filter { $0.hasSuffix("Tests") })
        let known = try Set(Self.testsInSource().compactMap { $0.split(separator: "/").first.map(String.init) })
        #expect(suites.count > 20, "too few suites were found")
        #expect(suites.subtracting(known).sorted() == [])
    }

    // MARK: Parsing

    @Test func `each kind of status is recognized`() {
        #expect(Status("`A/one`") == Status.shown(by: ["A/one"]))
        #expect(Status("`A/one, and more`, `B/two/three`") == Status.shown(by: ["A/one, and more", "B/two/three"]))
        #expect(Status("later: WebP") == Status.later(theme: "WebP"))
        #expect(Status("later: WebP; a part is there") == Status.later(theme: "WebP"))
        #expect(Status("none: nobody needs it") == Status.without(reason: "nobody needs it"))
    }

    @Test(arguments: [
        "", "A/one", "`A/one", "A/one`", "`one`", "`/one`", "`A/`", "``", "`A/one` `A/two`", "`A/one`; more", "later",
        "later: ", "later: tomorrow", "later: WebP;", "later: WebP, a part is there", "none", "none: ", "Later: WebP",
        "`A/one`, later: WebP",
    ])
    func `an invalid status is rejected`(_ text: String) {
        #expect(Status(text) == nil)
    }

    @Test func `only tests are found in a source`() {
        let source = """
            // struct Wrong { @Test func wrong() {} }
            @Suite(.timeLimit(.minutes(5)))
            struct One {
                struct Inner {}
                @Test func `a sentence, with "marks" (and more)`() {}
                @Test(arguments: [
                    1, 2,
                ])
                func `over several lines`(_ number: Int) {}
                private func helper() {}
                /// @Test func documented() {}
                @Test func named() async throws {}
            }

            private struct Other {
                func alsoHelper() {}
            }

            extension One {
                @Test(.disabled()) func more<Value>(_ value: Value) {}
            }
            """
        let expected: Set = [
            #"One/a sentence, with "marks" (and more)"#, "One/over several lines", "One/named", "One/more",
        ]
        #expect(Self.tests(in: source) == expected)
    }

    /// The status of a row.
    private enum Status: Equatable {
        /// The tests that cover it, each named by its suite, a slash and its own name.
        case shown(by: [String])
        /// The row will be covered, or fully covered, with a theme.
        case later(theme: String)
        /// The row will not be covered.
        case without(reason: String)

        /// Returns nil if the text is not a status.
        init?(_ text: String) {
            if let rest = Self.rest(of: text, after: "later: ") {
                let parts = rest.components(separatedBy: "; ")
                guard ParityTableTests.themes.contains(parts[0]), !parts.contains("") else { return nil }
                self = .later(theme: parts[0])
            } else if let rest = Self.rest(of: text, after: "none: ") {
                self = .without(reason: rest)
            } else {
                // Alternately outside and inside of backticks.
                let parts = text.components(separatedBy: "`")
                let names = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0] }
                let between = parts.indices.filter { $0 % 2 == 0 }.map { parts[$0] }
                guard !names.isEmpty, between.count == names.count + 1, between.first == "", between.last == "",
                    between.dropFirst().dropLast().allSatisfy({ $0 == ", " }), names.allSatisfy(Self.isTestName)
                else { return nil }
                self = .shown(by: names)
            }
        }

        private static func rest(of text: String, after prefix: String) -> String? {
            guard text.hasPrefix(prefix), text.count > prefix.count else { return nil }
            return String(text.dropFirst(prefix.count))
        }

        private static func isTestName(_ name: String) -> Bool {
            let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
        }
    }

    /// A row of the table.
    private struct Row {
        let name: String
        let expectation: String
        let statusText: String

        var status: Status? { Status(statusText) }
    }

    /// The directory of all tests.
    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns all rows without the headings.
    private static func rows() throws -> [Row] {
        let text = try String(contentsOf: directory.appending(path: "PARITY.md"), encoding: .utf8)
        var rows: [Row] = []
        for line in text.split(separator: "\n") where line.hasPrefix("|") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            // The cells before the first bar and after the last one are empty.
            guard cells.count == 5, cells[0].isEmpty, cells[4].isEmpty else {
                Issue.record("the line does not have three cells: \(line)")
                continue
            }
            if cells[1] == "Row" || cells[1].hasPrefix("---") { continue }
            rows.append(Row(name: cells[1], expectation: cells[2], statusText: cells[3]))
        }
        return rows
    }

    /// Returns all tests in the sources, each as its suite, a slash and its name.
    private static func testsInSource() throws -> Set<String> {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: directory.path(percentEncoded: false))
        var found: Set<String> = []
        for path in paths where path.hasSuffix(".swift") {
            let source = try String(contentsOf: directory.appending(path: path), encoding: .utf8)
            found.formUnion(tests(in: source))
        }
        return found
    }

    /// Returns the tests in a source. Suites are the unindented types, and their extensions.
    private static func tests(in source: String) -> Set<String> {
        var found: Set<String> = []
        var suite: Substring?
        // A test's arguments may span several lines before its function.
        var isTest = false
        for line in source.split(separator: "\n") {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("//") { continue }
            let isAtMargin = code.startIndex == line.startIndex
            if isAtMargin, let name = declaredName(in: line, after: ["struct ", "class ", "extension "]) {
                suite = name
                continue
            }
            if code.hasPrefix("@Test") { isTest = true }
            guard isTest, let suite, let name = declaredName(in: line, after: ["func "]) else { continue }
            found.insert("\(suite)/\(name)")
            isTest = false
        }
        return found
    }

    /// Returns the name that a line declares with one of these keywords; nil if there is none.
    private static func declaredName(in line: Substring, after keywords: [String]) -> Substring? {
        guard let keyword = keywords.lazy.compactMap({ line.range(of: $0) }).first else { return nil }
        let rest = line[keyword.upperBound...]
        if rest.first == "`" { return rest.dropFirst().prefix { $0 != "`" } }
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return name.isEmpty ? nil : name
    }
}
