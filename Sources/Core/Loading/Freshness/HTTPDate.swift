/// A date as HTTP writes it. Source: RFC 9110, section 5.6.7.
///
/// All three forms are read: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
/// `Sun Nov  6 08:49:37 1994`; in any case of letters, as caches should (RFC 9111, section 4.2), and whatever the day
/// of the week.
package struct HTTPDate {
    /// Since 1970.
    package let seconds: Double

    /// The last second of the last year that HTTP can write.
    static let last = 253_402_300_799.0

    /// The date in a header's value; nil for what is none, or is in another time zone than GMT.
    /// - Parameter now: Seconds since 1970. Of the years that two digits can stand for it is the last that is no more
    ///   than 50 years ahead.
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

    /// A time that HTTP can write, or as near to it as can be; 1970 for what is no number.
    static func bounded(_ seconds: Double) -> Double { max(0, min(seconds, last)) }

    private static let secondsOfDay = 86_400

    /// The last year of two digits in which a day is no more than 50 years ahead.
    private static func year(of digits: Int, month: Int, day: Int, at now: Double) -> Int {
        // Half of a Gregorian century, which has 36,524 days or one more.
        let horizon = Int(bounded(now)) / secondsOfDay + 18_262
        let latest = 1970 + horizon / 365
        var year = latest - (latest - digits) % 100
        while dayNumber(year: year, month: month, day: day) > horizon { year -= 100 }
        return year
    }

    /// Counted from 1 January 1970.
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let past = year - 1
        return 365 * past + past / 4 - past / 100 + past / 400 + daysBefore(month, in: year) + day - 719_163
    }

    /// Days of a year before a month, which may be the thirteenth: 367 twelfths of one each, less what February lacks.
    private static func daysBefore(_ month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return (367 * month - 362) / 12 - (month <= 2 ? 0 : isLeap ? 1 : 2)
    }
}

/// Takes a date apart, from its beginning on.
private struct Reader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text.utf8[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next byte, in lower case where it is a letter.
    private mutating func next() -> UInt8? {
        guard let byte = rest.popFirst() else { return nil }
        return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Takes a text in lower case, or nothing.
    mutating func skip(_ text: StaticString) -> Bool {
        var ahead = self
        let isThere = text.withUTF8Buffer { bytes in bytes.allSatisfy { ahead.next() == $0 } }
        if isThere { self = ahead }
        return isThere
    }

    /// Takes letters; false where there are none.
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

    /// A month, from 1 on.
    mutating func month() -> Int? {
        for (index, name) in Self.months.enumerated() where skip(name) { return index + 1 }
        return nil
    }

    /// Takes the space behind them, too.
    mutating func monthAndYear(separator: StaticString, digits: Int) -> (month: Int, year: Int)? {
        guard let month = month(), skip(separator), let year = number(digits: digits), skip(" ") else { return nil }
        return (month, year)
    }

    /// Hours, minutes and seconds as seconds. Some minutes have one more than 60.
    mutating func time() -> Int? {
        guard let hour = number(digits: 2), hour < 24, skip(":"), let minute = number(digits: 2), minute < 60,
            skip(":"), let second = number(digits: 2), second <= 60
        else { return nil }
        return 3600 * hour + 60 * minute + second
    }
}
