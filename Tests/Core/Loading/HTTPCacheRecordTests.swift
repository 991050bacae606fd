import Testing

@testable import Calotype

/// The freshness of responses by the rules of RFC 9111.
@Suite(.timeLimit(.minutes(5)))
struct HTTPCacheRecordTests {
    /// The time at which all responses are received: Thu, 01 Jan 2026 00:00:00 GMT.
    private static let now = 1_767_225_600.0
    private static let date = "Thu, 01 Jan 2026 00:00:00 GMT"
    private static let hourLater = "Thu, 01 Jan 2026 01:00:00 GMT"
    private static let hourBefore = "Wed, 31 Dec 2025 23:00:00 GMT"

    private func record(
        _ fields: [String: String], status: Int = 200, after delay: Double = 0,
        at now: Double = HTTPCacheRecordTests.now, asking requestFields: [String: String] = [:]
    ) -> HTTPCacheRecord {
        HTTPCacheRecord(
            status: status, requestedAt: now - delay, receivedAt: now, field: { fields[$0] },
            requestField: { requestFields[$0] })
    }

    // MARK: Storing (section 3)

    @Test(
        arguments: [
            ([:], true), (["Cache-Control": "max-age=0"], true), (["Cache-Control": "no-cache"], true),
            (["Cache-Control": "private"], true), (["Cache-Control": "no-store"], false),
            (["Cache-Control": "max-age=60, no-store"], false), (["Vary": "*"], false),
            (["Vary": "Accept, *"], false), (["Vary": "Accept"], true), (["Pragma": "no-cache"], true),
        ] as [([String: String], Bool)])
    func `responses that must not be stored or could match no request are not storable`(
        fields: [String: String], isStorable: Bool
    ) {
        #expect(record(fields).isStorable == isStorable)
        #expect(record(fields).forbidsStoring == (fields["Cache-Control"]?.contains("no-store") == true))
    }

    @Test(arguments: [
        (200, true), (203, true), (301, true), (404, true), (410, true), (201, false), (302, false), (304, false),
        (403, false), (500, false), (503, false), (0, false), (-1, false), (999, false),
    ])
    func `other statuses are storable if the response allows it`(status: Int, isStorable: Bool) {
        #expect(record([:], status: status).isStorable == isStorable)
        for control in ["public", "private", "max-age=5"] {
            #expect(record(["Cache-Control": control], status: status).isStorable)
            #expect(!record(["Cache-Control": control + ", no-store"], status: status).isStorable)
        }
        #expect(record(["Expires": Self.hourLater], status: status).isStorable)
        #expect(record(["Cache-Control": "s-maxage=5"], status: status).isStorable == isStorable)
    }

    // MARK: Freshness lifetime (sections 4.2.1 and 4.2.2)

    @Test(
        arguments: [
            ([:], 0), (["Cache-Control": "max-age=60"], 60), (["Cache-Control": "s-maxage=60"], 0),
            (["Cache-Control": "max-age=60, s-maxage=600"], 60), (["Cache-Control": "immutable"], 0),
            (["Cache-Control": "max-age=60, no-cache"], 0), (["Cache-Control": "max-age=99999999999"], 2_147_483_648),
            (["Cache-Control": "max-age=-60"], 0),
            (["Date": date, "Expires": hourLater], 3600), (["Expires": hourLater], 3600),
            (["Date": hourBefore, "Expires": hourLater], 7200), (["Date": date, "Expires": hourBefore], 0),
            (["Date": date, "Expires": date], 0), (["Expires": "0"], 0), (["Expires": "-1"], 0), (["Expires": ""], 0),
            (["Expires": "\(hourLater), \(hourLater)"], 0),
            (["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"], 2_147_483_648),
            (["Expires": hourLater, "Cache-Control": "max-age=60"], 60),
            (["Expires": hourLater, "Cache-Control": "max-age=nonsense"], 0),
            (["Expires": hourLater, "Cache-Control": "no-cache"], 0),
            (["Expires": hourLater, "Cache-Control": "public"], 3600),
            (["Expires": hourLater, "Pragma": "no-cache"], 0),
            (["Expires": hourLater, "Pragma": "no-cache", "Cache-Control": "public"], 3600),
            (["Expires": hourLater, "Pragma": "x"], 3600),
        ] as [([String: String], Double)])
    func `an explicit lifetime is used`(fields: [String: String], lifetime: Double) {
        #expect(record(fields).freshnessLifetime == lifetime)
    }

    @Test(
        arguments: [
            ["Cache-Control": "max-age=0"], ["Cache-Control": "max-age=nonsense"], ["Cache-Control": "no-cache"],
            ["Expires": "0"], ["Expires": hourBefore], ["Pragma": "no-cache"],
        ] as [[String: String]])
    func `a response declared stale is stale, however old the picture`(fields: [String: String]) {
        let unchanged = fields.merging(["Last-Modified": "Thu, 01 Jan 2015 00:00:00 GMT"]) { $1 }
        #expect(record(unchanged).freshnessLifetime == 0)
    }

    @Test(
        arguments: [
            (hourBefore, 360), (date, 0), (hourLater, 0), ("Wed, 31 Dec 2025 00:00:00 GMT", 8640),
            ("Sun, 21 Dec 2025 00:00:00 GMT", 86_400), ("Thu, 01 Jan 2015 00:00:00 GMT", 86_400),
            ("Mon, 01 Jan 0001 00:00:00 GMT", 86_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 0), ("long ago", 0),
        ] as [(String, Double)])
    func `the heuristic lifetime is a tenth of the time since the last change, at most a day`(
        lastModified: String, lifetime: Double
    ) {
        let fields = ["Last-Modified": lastModified]
        for status in [200, 404] { #expect(record(fields, status: status).freshnessLifetime == lifetime) }
        let marked = fields.merging(["Cache-Control": "public"]) { $1 }
        for status in [302, 500] {
            #expect(record(fields, status: status).freshnessLifetime == 0)
            #expect(record(marked, status: status).freshnessLifetime == lifetime)
        }
    }

    // MARK: Age (section 4.2.3)

    @Test(
        arguments: [
            ([:], 0, 0), ([:], 5, 5), (["Age": "10"], 0, 10), (["Age": "10"], 5, 15),
            (["Date": hourBefore], 5, 3600), (["Date": hourBefore, "Age": "10"], 5, 3600),
            (["Date": hourBefore, "Age": "4000"], 5, 4005), (["Date": date, "Age": "10"], 5, 15),
            (["Date": hourLater], 0, 0), (["Date": hourLater, "Age": "10"], 0, 10), (["Date": "nonsense"], 5, 5),
            (["Date": "\(hourBefore), \(hourBefore)"], 0, 0), (["Age": "-10"], 0, 0), (["Age": "ten"], 0, 0),
            (["Age": ""], 0, 0), (["Age": "1.5"], 0, 0), (["Age": "10, 20"], 0, 10), (["Age": " 10 "], 0, 10),
            (["Age": "99999999999999999999"], 0, 2_147_483_648), (["Age": "2147483648"], 60, 2_147_483_648),
            (["Date": "Mon, 01 Jan 0001 00:00:00 GMT"], 0, 2_147_483_648), ([:], -5, 0),
        ] as [([String: String], Double, Double)])
    func `the age is that of the Age field or of the clocks`(fields: [String: String], delay: Double, age: Double) {
        let record = record(fields, after: delay)
        #expect(record.age(at: Self.now) == age)
        #expect(record.age(at: Self.now + 100) == age + 100)
    }

    // MARK: Use (sections 4.2 and 4.2.4, RFC 5861)

    @Test func `a response is fresh until its age reaches its lifetime`() {
        let record = record(["Cache-Control": "max-age=60", "Age": "10"])
        #expect(record.state(at: Self.now) == .fresh)
        #expect(record.state(at: Self.now + 49.5) == .fresh)
        #expect(record.state(at: Self.now + 50) == .stale(whileRevalidating: 0, ifError: 0))
        #expect(record.state(at: Self.now + 1e12) == .stale(whileRevalidating: 0, ifError: 0))
    }

    /// The examples of RFC 5861, sections 3.1 and 4.1.
    @Test func `stale responses may be used for the stated time`() {
        let revalidating = record(["Cache-Control": "max-age=600, stale-while-revalidate=30"])
        #expect(revalidating.state(at: Self.now + 599) == .fresh)
        #expect(revalidating.state(at: Self.now + 600) == .stale(whileRevalidating: 30, ifError: 0))
        #expect(revalidating.state(at: Self.now + 620) == .stale(whileRevalidating: 10, ifError: 0))
        #expect(revalidating.state(at: Self.now + 630) == .stale(whileRevalidating: 0, ifError: 0))
        let failing = record(["Cache-Control": "max-age=600, stale-if-error=1200"])
        #expect(failing.state(at: Self.now + 900) == .stale(whileRevalidating: 0, ifError: 900))
        #expect(failing.state(at: Self.now + 1801) == .stale(whileRevalidating: 0, ifError: 0))
    }

    @Test(arguments: ["no-cache", "no-cache=\"X\"", "must-revalidate"])
    func `a response that must be revalidated is not used while stale`(directive: String) {
        let control = "max-age=60, stale-while-revalidate=1000, stale-if-error=1000, \(directive)"
        let record = record(["Cache-Control": control])
        #expect(record.state(at: Self.now + 60) == .stale(whileRevalidating: 0, ifError: 0))
        #expect((record.state(at: Self.now) == .fresh) == (directive == "must-revalidate"))
    }

    @Test func `a clock that was set back does not extend freshness`() {
        let record = record(["Cache-Control": "max-age=3600"])
        #expect(record.state(at: Self.now - 2) == .fresh)
        #expect(record.state(at: Self.now - 3600) == .stale(whileRevalidating: 0, ifError: 0))
        #expect(record.state(at: 0) == .stale(whileRevalidating: 0, ifError: 0))
    }

    @Test func `a server clock ahead does not extend freshness`() {
        for fields in [
            ["Cache-Control": "max-age=60"], ["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"],
            ["Last-Modified": "Fri, 31 Dec 9999 23:00:00 GMT"],
        ] {
            let record = record(fields.merging(["Date": "Fri, 31 Dec 9999 23:58:59 GMT"]) { $1 })
            #expect(record.state(at: Self.now) == .fresh)
            #expect(record.state(at: Self.now + 3600) == .stale(whileRevalidating: 0, ifError: 0))
        }
    }

    @Test(arguments: [-Double.infinity, -1e300, 1e300, .infinity, .nan, .greatestFiniteMagnitude])
    func `invalid times make nothing fresh and do not trap`(time: Double) {
        let stale = HTTPFreshness.stale(whileRevalidating: 0, ifError: 0)
        let fields = ["Cache-Control": "max-age=99999999999", "Date": Self.date, "Age": "1"]
        #expect(record(fields).state(at: time) == stale)
        let record = HTTPCacheRecord(status: 200, requestedAt: Self.now, receivedAt: time) { fields[$0] }
        #expect(record.freshnessLifetime == 2_147_483_648)
        #expect(HTTPCacheRecord(text: record.text) == record)
        let late = HTTPCacheRecord(status: 200, requestedAt: time, receivedAt: Self.now) { fields[$0] }
        #expect(late.age(at: Self.now).isFinite)
    }

    // MARK: Matching requests (section 4.1)

    @Test func `a response matches requests with equal values of its Vary fields`() {
        let fields = ["Vary": "Accept , accept-language,, ACCEPT"]
        let record = record(fields, asking: ["accept": "image/webp", "x": "1"])
        #expect(record.matches { ["accept": "image/webp", "x": "2"][$0] })
        #expect(!record.matches { ["accept": "image/png"][$0] })
        #expect(!record.matches { _ in nil })
        #expect(!record.matches { ["accept": "image/webp", "accept-language": ""][$0] })
        #expect(!record.matches { ["accept-language": "image/webp"][$0] })
        #expect(!record.matches { ["accept": "image/webp\naccept-language"][$0] })
        #expect(self.record([:], asking: ["accept": "a"]).matches { _ in nil })
        #expect(self.record(["Vary": " , "], asking: ["accept": "a"]).matches { _ in nil })
    }

    @Test(arguments: [
        "*", "Accept, *", "a b", "a;b", "a=b", "a:b", "é", "\u{0}", String(repeating: "a,", count: 100),
        String(repeating: "a", count: 100_000),
    ])
    func `a response that varies by unknown fields matches no request`(vary: String) {
        let record = record(["Vary": vary], asking: ["accept": "a"])
        #expect(!record.matches { ["accept": "a"][$0] })
        #expect(!record.isStorable)
        #expect(HTTPCacheRecord(text: record.text) == record)
    }

    @Test func `a record contains no secrets`() {
        let secret = "Bearer s3cr3t"
        let record = record(
            ["Vary": "Authorization", "ETag": "\"s3cr3t\"", "Cache-Control": "x=\"s3cr3t\"", "Expires": "s3cr3t"],
            asking: ["authorization": secret])
        #expect(record.matches { ["authorization": secret][$0] })
        #expect(!record.text.contains("s3cr3t"))
        #expect(!"\(record)".contains("s3cr3t"))
    }

    // MARK: Renewal (section 4.3.4)

    @Test func `a 304 response renews a record`() {
        let old = record([
            "Cache-Control": "max-age=60", "ETag": "\"1\"", "Date": Self.hourBefore, "Age": "30", "Vary": "Accept",
        ])
        let later = Self.now + 7200
        let confirmation = record(["ETag": "\"1\"", "Age": "5"], status: 304, after: 2, at: later)
        let new = old.updated(by: confirmation)
        #expect(new.status == 200)
        #expect(new.freshnessLifetime == 60)
        #expect(new.age(at: later) == 7)
        #expect(new.state(at: later + 52) == .fresh)
        #expect(new.state(at: later + 53) == .stale(whileRevalidating: 0, ifError: 0))
        #expect(!new.matches { _ in "other" }, "the Vary values are unchanged")
    }

    @Test func `the fields of a 304 response replace the former ones`() {
        let old = record([
            "Cache-Control": "stale-if-error=60", "Expires": Self.hourLater, "Last-Modified": Self.hourBefore,
            "Vary": "Accept",
        ])
        let control = old.updated(by: record(["Cache-Control": "must-revalidate"], status: 304, at: Self.now + 600))
        #expect(
            control.freshnessLifetime == 3000,
            "the expiration date is unchanged, and the lifetime is counted from the later response")
        #expect(control.control == CacheControl("must-revalidate"))
        let expires = control.updated(by: record(["Expires": "0"], status: 304))
        #expect(expires.freshnessLifetime == 0)
        let vary = old.updated(by: record(["Vary": "X"], status: 304, asking: ["x": "1"]))
        #expect(vary.matches { ["x": "1"][$0] })
        #expect(!vary.matches { _ in nil })
        let named = record(["Vary": "X, Y"], asking: ["x": "1"])
        let unnamed = named.updated(by: record([:], status: 304)) { ["x": "2", "y": "3"][$0] }
        #expect(unnamed.matches { ["x": "2", "y": "3"][$0] }, "the record has the request fields of the revalidation")
        #expect(!unnamed.matches { ["x": "1"][$0] })
        let unknown = record(["Vary": "*"]).updated(by: record([:], status: 304)) { _ in "1" }
        #expect(!unknown.matches { _ in "1" })
        #expect(!old.updated(by: record(["Cache-Control": "no-store"], status: 304)).isStorable)
    }

    @Test(
        arguments: [
            ("\"1\"", "\"1\"", true), ("\"1\"", "\"2\"", false), ("\"1\"", nil, true), ("\"1\"", "W/\"1\"", true),
            ("W/\"1\"", "W/\"1\"", true), ("W/\"1\"", "\"1\"", false), (nil, "\"1\"", false), (nil, nil, true),
        ] as [(String?, String?, Bool)])
    func `a 304 response for another version renews nothing`(known: String?, confirmed: String?, isSame: Bool) {
        var fields = ["Cache-Control": "max-age=60"]
        fields["ETag"] = known
        let old = record(fields)
        fields["ETag"] = confirmed
        let confirmation = record(fields, status: 304, at: Self.now + 100)
        #expect((old.updated(by: confirmation).state(at: Self.now + 100) == .fresh) == isSame)
        #expect((old.updated(by: confirmation) == old) == !isSame)
    }
}

extension HTTPCacheRecord {
    /// Returns the record after the revalidation by a request without fields.
    fileprivate func updated(by confirmation: HTTPCacheRecord) -> HTTPCacheRecord {
        updated(by: confirmation) { _ in nil }
    }
}
