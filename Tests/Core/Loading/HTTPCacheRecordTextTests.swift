import Testing

@testable import Calotype

/// Cache records as text, as caches store them.
@Suite(.timeLimit(.minutes(5)))
struct HTTPCacheRecordTextTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func record(_ fields: [String: String], at time: Double = 1_767_225_600.25) -> HTTPCacheRecord {
        HTTPCacheRecord(
            status: 200, requestedAt: time - 0.1, receivedAt: time, field: { fields[$0] },
            requestField: { "value of \($0)" })
    }

    private func expectRoundTrip(_ record: HTTPCacheRecord, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(HTTPCacheRecord(text: record.text) == record, "\(record.text)", sourceLocation: sourceLocation)
        #expect(record.text.utf8.count <= 512, sourceLocation: sourceLocation)
    }

    @Test func `the text has the documented form`() throws {
        let text = "1;s=200;t=1764151200.25;a=0;d=1764151200;c=max-age=60"
        let record = try #require(HTTPCacheRecord(text: text))
        #expect(record.text == text)
        #expect(record.status == 200)
        #expect(record.freshnessLifetime == 60)
        #expect(record.state(at: 1_764_151_260) == .fresh)
        #expect(record.state(at: 1_764_151_260.25) != .fresh)
    }

    @Test(
        arguments: [
            [:], ["Cache-Control": ""], ["Cache-Control": "s-maxage=1"], ["Cache-Control": "max-age=60, public"],
            ["Vary": "*"], ["Vary": "Accept, Accept-Language"], ["ETag": "\"1\""], ["ETag": "W/\"1\""],
            ["Expires": date], ["Expires": "0"], ["Date": "Mon, 01 Jan 0001 00:00:00 GMT"], ["Last-Modified": date],
            ["Age": "2147483648"], ["Pragma": "no-cache"], ["Date": date],
            ["Cache-Control": "max-age=1;s=404;t=5", "Vary": "a;s=404", "ETag": "\";s=404\"", "Expires": "1;s=404"],
        ] as [[String: String]])
    func `a record survives a round trip through text`(fields: [String: String]) {
        for time in [0, 1_767_225_600, 1_767_225_600.123_456_7, 253_402_300_799] as [Double] {
            expectRoundTrip(record(fields, at: time))
        }
    }

    @Test func `the text is short, whatever a server sends`() {
        let last = "Fri, 31 Dec 9999 23:59:59 GMT"
        let control = ["max-age", "stale-while-revalidate", "stale-if-error"].map { "\($0)=99999999999" }
        let longest = record(
            [
                "Cache-Control": (control + ["no-store", "no-cache", "must-revalidate", "private"])
                    .joined(separator: ","), "Expires": last, "Date": last, "Last-Modified": last,
                "Age": "99999999999", "ETag": "\"\(String(repeating: "e", count: 1000))\"",
                "Vary": String(repeating: "a", count: 160),
            ], at: 253_402_300_798.999_97)
        expectRoundTrip(longest)
        #expect(longest.matches { "value of \($0)" })
        let long = String(repeating: "no-cache,;=\"\\é*", count: 7000)
        for name in ["Cache-Control", "Expires", "Date", "Age", "Pragma", "Vary", "Last-Modified", "ETag"] {
            expectRoundTrip(record([name: long]))
        }
    }

    @Test(arguments: [
        "", "1", ";", "1;", "2;s=200;t=1;a=0;d=1", "s=200;t=1;a=0;d=1", "1;s=200;t=1;a=0", "1;s=200;a=0;d=1",
        "1;t=1;a=0;d=1", "1;s=200;t=1;a=0;d=1;", "1;s=200;t=1;a=0;d=1;x=1", "1;s=200;t=1;a=0;d=1;e",
        "1;s=200;s=200;t=1;a=0;d=1", "1;t=1;s=200;a=0;d=1", "1;s=200;t=1.0;a=0;d=1", "1;s=0200;t=1;a=0;d=1",
        "1;s=99999999999999999999;t=1;a=0;d=1", "1;s=200;t=nan;a=0;d=1", "1;s=200;t=inf;a=0;d=1",
        "1;s=200;t=1e+300;a=0;d=1", "1;s=200;t=1;a=-5;d=1", "1;s=200;t=1;a=0;d=-inf", "1;s=200;t=1;a=0;d=0x1p3",
        "1;s=200;t=1;a=0;d=1;e=soon", "1;s=200;t=1;a=0;d=1;v=accept", "1;s=200;t=1;a=0;d=1;v=a:b:c",
        "1;s=200;t=1;a=0;d=1;c=max-age=-1", "1;s=200;t=1;a=0;d=1;c=public", "1;s=200;t=1;a=0;d=1;c=no-store,no-store",
        " 1;s=200;t=1;a=0;d=1", "1;s=200;t=1;a=0;d=1\n",
    ])
    func `text in another form is rejected`(text: String) {
        #expect(HTTPCacheRecord(text: text) == nil)
    }

    @Test func `a very long text is rejected`() {
        let text = "1;s=200;t=1;a=0;d=1"
        #expect(HTTPCacheRecord(text: text) != nil)
        #expect(HTTPCacheRecord(text: text + ";g=" + String(repeating: "0", count: 100_000)) == nil)
    }

    @Test func `damaged texts are rejected or give a valid record`() throws {
        let text = record(["Cache-Control": "max-age=60", "Vary": "Accept", "ETag": "\"1\"", "Expires": Self.date]).text
        let bytes = Array(text.utf8)
        for index in bytes.indices {
            for byte in [0, 0x30, 0x39, 0x3B, 0x3D, 0x2D, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[index] = byte
                guard let record = HTTPCacheRecord(text: String(decoding: damaged, as: UTF8.self)) else { continue }
                #expect(record.age(at: 0) >= 0)
                #expect(record.freshnessLifetime <= 2_147_483_648)
                expectRoundTrip(record)
            }
        }
    }
}
