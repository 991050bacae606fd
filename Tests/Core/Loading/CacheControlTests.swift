import Testing

@testable import Calotype

/// Directives of RFC 9111, section 5.2, and RFC 5861.
@Suite(.timeLimit(.minutes(5)))
struct CacheControlTests {
    /// Returns the normalized text of a value.
    private func text(_ value: String) -> String { CacheControl(value).text }

    @Test(arguments: [
        ("", ""), ("max-age=60", "max-age=60"), ("no-store", "no-store"), ("no-cache", "no-cache"),
        ("must-revalidate", "must-revalidate"), ("public", "private"), ("private", "private"),
        ("max-age=600, stale-while-revalidate=30", "max-age=600,stale-while-revalidate=30"),
        ("max-age=600, stale-if-error=1200", "max-age=600,stale-if-error=1200"),
        (
            "stale-if-error=3,stale-while-revalidate=2,max-age=1,public,must-revalidate,no-cache,no-store",
            "no-store,no-cache,must-revalidate,private,max-age=1,stale-while-revalidate=2,stale-if-error=3"
        ),
    ])
    func `directives are read, in any order`(value: String, expected: String) {
        #expect(text(value) == expected)
        #expect(CacheControl(expected) == CacheControl(value))
    }

    @Test(arguments: [
        ("Max-Age=60, NO-STORE", "no-store,max-age=60"), (" \tmax-age=60\t ,\tno-cache ", "no-cache,max-age=60"),
        (",, ,max-age=60,,", "max-age=60"), ("max-age=60; must-revalidate", "must-revalidate,max-age=60"),
        ("no-store ,x", "no-store"), ("no-store=1", "no-store"),
    ])
    func `case, spaces and empty members are ignored`(value: String, expected: String) {
        #expect(text(value) == expected)
    }

    @Test(arguments: [
        "s-maxage=60", "proxy-revalidate", "immutable", "no-transform", "max-stale=5", "min-fresh=5", "only-if-cached",
        "community=\"UCI\"", "max-agee=60", "xmax-age=60", "\"no-store\"", "=60", "=", "\\", "no store",
        "community=\"a, no-store, max-age=60\"", "community=\"a\\\", no-store\"",
    ])
    func `directives for shared caches and unknown ones are ignored`(value: String) {
        #expect(text(value) == "")
    }

    @Test(arguments: [
        ("max-age=\"60\"", "max-age=60"), ("private=\"Set-Cookie, X\", max-age=5", "private,max-age=5"),
        ("no-cache=\"Set-Cookie, X\", max-age=5", "no-cache,max-age=5"),
        ("a=\"\\\\\", max-age=5", "max-age=5"), ("a=\"\", max-age=5", "max-age=5"),
    ])
    func `values may be quoted and contain commas`(value: String, expected: String) {
        #expect(text(value) == expected)
    }

    @Test(arguments: [
        "max-age", "max-age=", "max-age=-1", "max-age=+1", "max-age=1.5", "max-age=1e3", "max-age=0x10", "max-age=one",
        "max-age= 60", "max-age=60s", "max-age=6 0", "max-age=\"60", "max-age=60\"", "max-age=\"\"", "max-age=\"",
        "max-age='60'", "max-age=٦٠", "max-age==60", "max-age=60=60", "max-age=one, max-age=60",
        "max-age=0,max-age=60",
    ])
    func `an invalid time counts as zero`(value: String) {
        #expect(text(value) == "max-age=0")
    }

    @Test(arguments: [
        ("max-age=2147483647", 2_147_483_647), ("max-age=2147483648", 2_147_483_648),
        ("max-age=2147483649", 2_147_483_648), ("max-age=99999999999999999999999", 2_147_483_648),
        ("max-age=00000000000000000000000060", 60), ("max-age=60, max-age=0", 60),
        ("max-age=" + String(repeating: "9", count: 100_000), 2_147_483_648),
    ])
    func `an overflowing time becomes 68 years, and the first of two times counts`(value: String, seconds: Int) {
        #expect(CacheControl(value).maxAge == seconds)
    }

    @Test func `long values are read to their end`() {
        let noise = String(repeating: "a=\"b,c\", ", count: 12_000)
        #expect(text(noise + "no-store") == "no-store")
        #expect(text(String(repeating: ",", count: 100_000) + "no-store") == "no-store")
        #expect(text(String(repeating: "\"\\", count: 50_000) + "no-store") == "")
    }
}
