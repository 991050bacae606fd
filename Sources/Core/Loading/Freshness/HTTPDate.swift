/// A date in the formats of HTTP. Source: RFC 9110, section 5.6.7.
///
/// All three forms are read: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37
/// 1994`. The case of letters does not matter, as RFC 9111, section 4.2, recommends for caches. The day of the week is
/// not checked.
package struct HTTPDate {
    /// The time in seconds since 1970.
    package let seconds: Double

    /// The latest time that an HTTP date can express: the end of the year 9999, in seconds since 1970.
    static let last = 253_402_300_799.0

    /// Creates a date from the value of a header. Returns nil if the value is not a valid date in GMT.
    /// - Parameter now: The current time, in seconds since 1970. A year of two digits means the latest such year for
    ///   which the date is at most 50 years after `now`.
    package init?(_ text: String, at now: Double) {
        var rest = Reader(text)
        guard rest.skipWord() else { return nil }
        let date: (year: Int, month: Int, day: Int)?
        let secondOfDay: Int?
        if rest.skip(", ") {
            guard let day = rest.number(digits: 2) else { return nil }
            if rest.skip("-") {
                date = rest.monthAndYear(separator: "-", digits: 2).map {
                    (Self.year(of: $0.year, month: $0.month, day: day, at: now), $0.month, day)
                }
            } else {
                guard rest.skip(" ") else { return nil }
                date = rest.monthAndYear(separator: " ", digits: 4).map { ($0.year, $0.month, day) }
            }
            secondOfDay = rest.time()
            guard rest.skip(" gmt") else { return nil }
        } else {
            guard rest.skip(" "), let month = rest.month(), rest.skip(" "),
                let day = rest.skip(" ") ? rest.number(digits: 1) : rest.number(digits: 2), rest.skip(" ")
            else { return nil }
            secondOfDay = rest.time()
            guard rest.skip(" "), let year = rest.number(digits: 4) else { return nil }
            date = (year, month, day)
        }
        guard rest.isAtEnd, let date, let secondOfDay, date.year > 0, date.day > 0,
            date.day <= Self.daysBefore(date.month + 1, in: date.year) - Self.daysBefore(date.month, in: date.year)
        else { return nil }
        let day = Self.dayNumber(year: date.year, month: date.month, day: date.day)
        seconds = Double(Self.secondsOfDay * day + secondOfDay)
    }

    /// Returns a time, in seconds since 1970, clamped to the range that HTTP dates can express: the years 1970 to 9999.
    /// Returns 0 for NaN.
    static func bounded(_ seconds: Double) -> Double { max(0, min(seconds, last)) }

    private static let secondsOfDay = 86_400

    /// Returns the latest year with these last two digits for which the date is at most 50 years after `now`.
    /// - Parameter now: The current time, in seconds since 1970.
    private static func year(of digits: Int, month: Int, day: Int, at now: Double) -> Int {
        // Half of a Gregorian century, which has 36,524 days or one more.
        let horizon = Int(bounded(now)) / secondsOfDay + 18_262
        let latest = 1970 + horizon / 365
        var year = latest - (latest - digits) % 100
        while dayNumber(year: year, month: month, day: day) > horizon { year -= 100 }
        return year
    }

    /// Returns the number of days from 1 January 1970 to a date.
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let past = year - 1
        return 365 * past + past / 4 - past / 100 + past / 400 + daysBefore(month, in: year) + day - 719_163
    }

    /// Returns the number of days from the beginning of a year to that of a month. The month 13 is the next January.
    ///
    /// The formula counts 367/12 days for each month, then subtracts the days by which February is shorter than 30
    /// days.
    private static func daysBefore(_ month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return (367 * month - 362) / 12 - (month <= 2 ? 0 : isLeap ? 1 : 2)
    }
}

/// A parser that reads the parts of a date in order.
private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text.utf8[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Reads and returns the next byte. A capital letter is returned in lower case. Returns nil at the end.
    private mutating func next() -> UInt8? {
        guard let byte = rest.popFirst() else { return nil }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Skips `text` if it comes next, ignoring case. Returns whether it was skipped. `text` must be in lower case.
    mutating func skip(_ text: StaticString) -> Bool {
        var ahead = self
        let isThere = text.withUTF8Buffer { bytes in bytes.allSatisfy { ahead.next() == $0 } }
        if isThere { self = ahead }
        return isThere
    }

    /// Skips all letters that come next. Returns false if no letter comes next.
    mutating func skipWord() -> Bool {
        let count = rest.count
        rest = rest.drop { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        return rest.count < count
    }

    mutating func number(digits: Int) -> Int? {
        var number = 0
        for _ in 0..<digits {
            guard let byte = next(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = 10 * number + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    private static let months: [StaticString] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Reads the abbreviated name of a month. Returns its number, from 1 to 12; nil if no such name comes next.
    mutating func month() -> Int? {
        for (index, name) in Self.months.enumerated() where skip(name) { return index + 1 }
        return nil
    }

    /// Reads a month, a separator, a year and a space. Returns nil if something else comes next.
    /// - Parameter digits: The number of digits of the year.
    mutating func monthAndYear(separator: StaticString, digits: Int) -> (month: Int, year: Int)? {
        guard let month = month(), skip(separator), let year = number(digits: digits), skip(" ") else { return nil }
        return (month, year)
    }

    /// Reads a time of day, and returns the second of the day; nil if no valid time comes next. Allows a leap second.
    mutating func time() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60,
            skip(":"), let second = number(digits: 2), second <= 60
        else { return nil }
        return 3600 * hour + 60 * minute + second
    }
}
