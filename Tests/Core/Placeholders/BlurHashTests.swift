import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct BlurHashTests {
    static let published = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
    /// A hash with the maximum number of components.
    static let large =
        "|rD[$B1B,vNzsEW?f9j^WYmhXejXbFj=f8fif8figNe-fkfPfPfjf6fkf6noW.jta}jtfRfQfRfQfmfOfPfQfPfQfQ"
        + "fQfQoOWXjua}jtfRfQfRfQfAfhfPfQfPfQfQfQfQohWXjua}jtfRfQfRfQe@fifPfQfQfQfQfQfQ"

    // MARK: Drawing

    /// The pixels are from woltapp/blurhash, C/decode.c.
    @Test(arguments: [
        (
            BlurHashTests.published, PixelSize(4, 3),
            """
            87a4b1 a1adb1 b5b4ab a0acae
            7c9aa9 94949a a49186 92989b
            7c909a 908684 a38268 948c86
            """
        ),
        (
            "LGF5]+Yk^6#M@-5c,1J5@[or[Q6.", PixelSize(4, 3),
            """
            b076a3 a777b8 7664a9 a74f7e
            958eb4 6d8ac6 71758f 956c6d
            91a199 5c99b2 648187 77746c
            """
        ),
        ("00OZZy", PixelSize(2, 1), "d51e78 d51e78"),
        ("IrD[$BmhgN", PixelSize(2, 4), "7e00fd 7e00fd 7c00ea 7c00ea 7944c0 7944c0 768ca2 768ca2"),
        (
            BlurHashTests.large, PixelSize(5, 4),
            """
            0000ff 0000ff 5000ff 8400ff c12cff
            0000ff 0000f7 3100e7 7100d9 af30c9
            0000ff 0000e2 312dc9 714cb4 af6198
            004eff 005ecf 3176ab 718a8e afa06a
            """
        ),
    ])
    func `the pixels equal the published ones`(text: String, size: PixelSize, pixels: String) throws {
        let image = try BlurHash(text).image(size: size)
        #expect(image.size == size)
        #expect(image.pixels.isOpaque)
        #expect(HashPicture.difference(image.pixels.levels, HashPicture.levels(pixels)) <= 1)
    }

    @Test func `contrast can be increased or removed`() throws {
        let hash = try BlurHash(Self.published)
        let strong = try hash.image(size: PixelSize(3, 2), punch: 2).pixels.levels
        let expected = HashPicture.levels("74b0c9 bfc7c5 bbc4bf 4991ad 96635c 95755e")
        #expect(HashPicture.difference(strong, expected) <= 1)
        #expect(try hash.image(size: PixelSize(2, 1), punch: 0).pixels.levels == HashPicture.levels("979695 979695"))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
    func `any punch value is accepted`(punch: Double) throws {
        let image = try BlurHash(Self.published).image(size: PixelSize(4, 4), punch: punch)
        #expect(image.size == PixelSize(4, 4))
    }

    @Test func `the average color is exact`() throws {
        let color = PixelColor(red: 151.0 / 255, green: 150.0 / 255, blue: 149.0 / 255)
        #expect(try BlurHash(Self.published).averageColor == color)
    }

    @Test(arguments: [PixelSize(0, 5), PixelSize(5, 0), PixelSize(-1, 5), PixelSize(1025, 1), PixelSize(1, .max)])
    func `an empty or oversized target is an error`(size: PixelSize) throws {
        let hash = try BlurHash(Self.published)
        let error = #expect(throws: ImageError.self) { try hash.image(size: size) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("\(size)") == true)
    }

    // MARK: Damage

    @Test func `every wrong length is an error`() {
        for count in 0..<Self.published.count {
            let error = #expect(throws: ImageError.self) { try BlurHash(String(Self.published.prefix(count))) }
            #expect(error?.code == .badData)
        }
        for text in [Self.published + "0", Self.large + "0", String(repeating: "0", count: 100_000)] {
            let error = #expect(throws: ImageError.self) { try BlurHash(text) }
            #expect(error?.code == .badData)
            #expect((error?.description.count ?? 0) < 200)
        }
    }

    @Test(arguments: ["\"", " ", "\\", "/", "&", "\0", "\u{7F}", "é", "\u{1F600}", "!"])
    func `an invalid character is an error`(character: String) {
        for text in [character + "0OZZy", "00OZZ" + character, "0" + character + "OZZy"] {
            let error = #expect(throws: ImageError.self) { try BlurHash(text) }
            #expect(error?.code == .badData)
        }
    }

    /// The first two declare ten rows, in one column and in two, and have the corresponding length.
    @Test(arguments: [
        "}" + String(repeating: "0", count: 23), "~" + String(repeating: "0", count: 43), "00~~~~", "00TSUB",
        "10OZZy~r", "10OZZy~~",
    ])
    func `an out-of-range value is an error`(text: String) {
        let error = #expect(throws: ImageError.self) { try BlurHash(text) }
        #expect(error?.code == .badData)
    }

    @Test func `the largest values are within range`() throws {
        let image = try BlurHash("1~TSUA~q").image(size: PixelSize(2, 2))
        #expect(image.size == PixelSize(2, 2))
        #expect(try BlurHash("00TSUA").averageColor == PixelColor(red: 1, green: 1, blue: 1))
    }

    @Test func `any text is a hash or an error`() {
        var random = SplitMix64(seed: 83)
        for _ in 0..<100 {
            let layout = Int.random(in: 0...82, using: &random)
            let rest = (0..<2 * (layout % 9 + 1) * (layout / 9 + 1) + 3).map { _ in
                BlurHash.digits.randomElement(using: &random) ?? 0
            }
            let text = String(decoding: [BlurHash.digits[layout]] + rest, as: UTF8.self)
            do throws(ImageError) {
                let image = try BlurHash(text).image(size: PixelSize(2, 2))
                #expect(image.size == PixelSize(2, 2))
            } catch {
                #expect(error.code == .badData, "\(text)")
            }
        }
    }

    // MARK: Encoding

    /// The hashes are from woltapp/blurhash, C/encode.c.
    @Test(arguments: [
        (PixelSize(40, 30), 4, 3, "LrD[$B1B,vNzmhXejXbFgNe-fkfP"), (PixelSize(40, 30), 9, 9, BlurHashTests.large),
        (PixelSize(40, 30), 1, 1, "00D[$B"), (PixelSize(40, 30), 1, 3, "IrD[$BmhgN"),
        (PixelSize(30, 40), 3, 4, "TrE2cC1U,vmhbojqgge-fRnVbFjs"),
        (PixelSize(20, 20), 5, 2, "DuELbL1U,cOHjdmhXLjqa#fh"),
    ])
    func `the hashes equal the published ones`(size: PixelSize, columns: Int, rows: Int, text: String) throws {
        let image = try HashPicture.image(size)
        #expect(try BlurHash(of: image, columns: columns, rows: rows).text == text)
    }

    @Test(arguments: [(0, 3), (10, 3), (4, 0), (4, 10), (-1, -1), (Int.max, 1)])
    func `an unsupported number of components is an error`(columns: Int, rows: Int) throws {
        let image = try HashPicture.flat(PixelSize(2, 2), [1, 2, 3, 255])
        let error = #expect(throws: ImageError.self) { try BlurHash(of: image, columns: columns, rows: rows) }
        #expect(error?.code == .encodeFailed)
    }

    @Test func `a picture is scaled down before hashing`() throws {
        let hash = try BlurHash(of: HashPicture.flat(PixelSize(210, 3), [200, 100, 50, 255]))
        #expect(hash.averageColor == PixelColor(red: 200.0 / 255, green: 100.0 / 255, blue: 50.0 / 255))
    }

    @Test func `transparent pixels count as white`() throws {
        let clear = try BlurHash(of: HashPicture.flat(PixelSize(4, 4), [10, 20, 30, 0]))
        #expect(clear == (try BlurHash(of: HashPicture.flat(PixelSize(4, 4), [255, 255, 255, 255]))))
    }

    @Test func `the upright picture is hashed`() throws {
        let pixels = try HashPicture.image(PixelSize(20, 12)).pixels
        let orientation = try #require(Orientation(rawValue: 6))
        let turned = Image(pixels: pixels, attributes: Image.Attributes(orientation: orientation))
        let upright = Image(pixels: try pixels.upright(from: orientation))
        #expect(try BlurHash(of: turned) == BlurHash(of: upright))
        #expect(try ThumbHash(of: turned) == ThumbHash(of: upright))
    }
}
