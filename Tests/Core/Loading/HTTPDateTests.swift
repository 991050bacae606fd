import Testing

@testable import Calotype

/// Dates of RFC 9110, section 5.6.7.
@Suite(.timeLimit(.minutes(5)))
struct HTTPDateTests {
    /// The first second of 2026.
    private static let now = 1_767_225_600.0

    private func seconds(_ text: String, at now: Double = HTTPDateTests.now) -> Double? {
        HTTPDate(text, at: now)?.seconds
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun Nov 06 08:49:37 1994", "SUN, 06 NOV 1994 08:49:37 gmt", "Sunday, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT", "Mon, 06 Nov 1994 08:49:37 GMT",
    ])
    func `the date of the specification is read in each of its forms`(text: String) {
        #expect(seconds(text) == 784_111_777)
    }

    @Test(
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800), ("Mon, 01 Jan 1900 00:00:00 GMT", -2_208_988_800),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Double)])
    func `days are right over all calendars that HTTP can express`(text: String, expected: Double) {
        #expect(seconds(text) == expected)
    }

    /// The middle of 1999.
    private static let then = 930_787_200.0

    @Test(
        arguments: [
            ("Sunday, 06-Nov-94", now, 1994), ("Friday, 06-Nov-26", now, 2026), ("Wednesday, 06-Nov-75", now, 2075),
            ("Wednesday, 01-Jan-76", now, 2076), ("Saturday, 06-Nov-76", now, 1976), ("Monday, 06-Nov-00", now, 2000),
            ("Saturday, 06-Nov-99", then, 1999), ("Sunday, 06-Nov-05", then, 2005), ("Friday, 06-Nov-48", then, 2048),
            ("Monday, 06-Nov-50", then, 1950),
        ] as [(String, Double, Int)])
    func `a two-digit year is at most 50 years ahead`(
        date: String, now: Double, year: Int
    ) throws {
        let month = try #require(date.split(separator: "-").dropFirst().first)
        let day = date.dropFirst(date.count - 9).prefix(2)
        let full = try #require(seconds("Sun, \(day) \(month) \(year) 08:49:37 GMT"))
        #expect(seconds("\(date) 08:49:37 GMT", at: now) == full)
    }

    @Test(arguments: [-Double.infinity, -1e300, -1, 0, 1e300, .infinity, .nan, .greatestFiniteMagnitude])
    func `a nonsensical clock does not trap`(now: Double) {
        #expect(seconds("Sun, 06 Nov 1994 08:49:37 GMT", at: now) == 784_111_777)
        #expect(seconds("Sunday, 06-Nov-94 08:49:37 GMT", at: now) != nil)
    }

    @Test(arguments: [
        "", " ", "0", "-1", "now", "Sun", "GMT", "1994-11-06T08:49:37Z", "784111777",
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 +0000",
        "Sun, 06 Nov 1994 08:49:37 EST", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 01994 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
        "Sun 06 Nov 1994 08:49:37 GMT", ", 06 Nov 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
        "Sun,06 Nov 1994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37GMT",
        "Sun, 06-Nov 1994 08:49:37 GMT", "Sun, 06 Nov-94 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Novem 1994 08:49:37 GMT", "Sun, 06 11 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 1995 08:49:37 GMT", "Thu, 29 Feb 1900 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT",
        "Sun, 06 Nov 1994 +8:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 PST", "Sun Nov 6 08:49:37 1994",
        "Sunday, 06--94 08:49:37 GMT", "Sunday, -06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 94",
        "Sun Nov 006 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT", "Sun, Nov 6 08:49:37 1994",
        "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
    ])
    func `an invalid date is rejected`(text: String) {
        #expect(seconds(text) == nil)
    }

    @Test func `a very long text is not a date`() {
        #expect(seconds("Sun, " + String(repeating: " ", count: 100_000) + "06 Nov 1994 08:49:37 GMT") == nil)
        #expect(seconds(String(repeating: "9", count: 100_000)) == nil)
    }
}
