import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ThumbHashTests {
    /// A hash, and its pixels by another implementation.
    struct Known: Sendable, CustomTestStringConvertible {
        let picture: PixelSize
        var isFading = false
        let text: String
        let size: PixelSize
        let average: PixelColor
        let aspectRatio: Double
        /// 4 by 4 of its pixels.
        let pixels: String

        var testDescription: String { text }
    }

    /// The hashes, sizes and pixels are from evanw/thumbhash, js/thumbhash.js.
    static let known = [
        Known(
            picture: PixelSize(40, 30), text: "nRQKfZKgh4d1eHiJiHiHiICSCPpm", size: PixelSize(32, 23),
            average: PixelColor(red: 0.3412698412698413, green: 0.2936507936507936, blue: 0.746031746031746),
            aspectRatio: 1.4,
            pixels: """
                0000ffff 0100ffff 7706e3ff ff27e6ff
                0000ffff 0a08ffff 7c20c6ff ff38b5ff
                002deeff 074dcbff 7b7681ff fc9663ff
                0692ecff 12a6b2ff 84d95cff f5ee26ff
                """),
        Known(
            picture: PixelSize(30, 40), text: "nRQKfRSgh2V4mHd4h4h4h4CRCPpn", size: PixelSize(23, 32),
            average: PixelColor(red: 0.3412698412698413, green: 0.2936507936507936, blue: 0.746031746031746),
            aspectRatio: 0.7142857142857143,
            pixels: """
                0000ffff 0000ffff 6f00f3ff ff1bf4ff
                0000ffff 0602ffff 7316cbff ff2dbaff
                0047f3ff 075cc7ff 757877ff ff9258ff
                00a8dfff 11bfabff 87e554ff fdeb14ff
                """),
        Known(
            picture: PixelSize(20, 20), text: "nRQKfxSgh4dld3d5iHeHh3d3CCiJoG8G", size: PixelSize(32, 32),
            average: PixelColor(red: 0.3412698412698413, green: 0.2936507936507936, blue: 0.746031746031746),
            aspectRatio: 1,
            pixels: """
                0000ffff 0300ffff 870beeff ff1ee9ff
                0000ffff 0a09ffff 8420c9ff ff2bb1ff
                0044fcff 085acfff 76777bff ff9a66ff
                05a1f3ff 09afb2ff 85e561ff fbf52cff
                """),
        Known(
            picture: PixelSize(90, 10), text: "XCQKgZCQh4d3d4eIgJIY+3U=", size: PixelSize(32, 5),
            average: PixelColor(red: 0.33068783068783064, green: 0.25132275132275134, blue: 0.7513227513227513),
            aspectRatio: 7,
            pixels: """
                0000ffff 0d00ffff 780aedff f715d6ff
                0000ffff 0902ffff 7724d6ff f332b8ff
                0000ffff 0623edff 7656a8ff f06b81ff
                094ddcff 0c71a2ff 77b948ff f4df1aff
                """),
        Known(
            picture: PixelSize(40, 30), isFading: true, text: "nCOGVJIskIdWeIiHBzdnkG7Yh/d0Z3h4Bw==",
            size: PixelSize(32, 26),
            average: PixelColor(
                red: 0.2989417989417989, green: 0.2195767195767196, blue: 0.8148148148148148, alpha: 0.8),
            aspectRatio: 1.25,
            pixels: """
                0000ffff 1d00ffff 8100e7ff d800ddde
                000fffff 1a1cf2ff 781ebdea ca19b3c4
                004af1f7 1558cdd6 675f9cad af59907c
                0060f4cc 0c6fd09b 54759d57 8e678805
                """),
        Known(
            picture: PixelSize(24, 36), isFading: true, text: "3BOGUxQsoEWYiIdwcgbpd314T3iGh3c=",
            size: PixelSize(19, 32),
            average: PixelColor(
                red: 0.29365079365079366, green: 0.246031746031746, blue: 0.7936507936507936, alpha: 0.8),
            aspectRatio: 0.6,
            pixels: """
                0000ffff 1500ffff 8200ecfe d300e4e7
                000effff 1819e9ff 7e1bb9e6 cb13afc9
                0059e9f3 1564c0d4 716290ac b7568476
                0089f0c2 0791c59c 58888f58 97777f00
                """),
    ]

    @Test(arguments: ThumbHashTests.known)
    func `the pixels equal the published ones`(known: Known) throws {
        let hash = try ThumbHash(known.text)
        #expect(hash.hasAlpha == known.isFading)
        #expect(abs(hash.aspectRatio - known.aspectRatio) < 1e-12)
        for channel in [\PixelColor.red, \.green, \.blue, \.alpha] {
            #expect(abs(hash.averageColor[keyPath: channel] - known.average[keyPath: channel]) < 1e-9)
        }
        let image = try hash.image()
        #expect(image.size == known.size)
        #expect(image.pixels.isOpaque == !known.isFading)
        #expect(HashPicture.difference(HashPicture.samples(image), HashPicture.levels(known.pixels)) <= 1)
    }

    @Test(arguments: ThumbHashTests.known)
    func `the hashes equal the published ones`(known: Known) throws {
        let hash = try ThumbHash(of: HashPicture.image(known.picture, isFading: known.isFading))
        #expect(hash.data.base64EncodedString() == known.text)
    }

    @Test func `a fully transparent picture has a hash`() throws {
        let hash = try ThumbHash(of: HashPicture.flat(PixelSize(4, 4), [9, 9, 9, 0]))
        #expect(hash.data.base64EncodedString() == "AAiCBQAAAAAAAAAAAAAAAAAAAAAAAAAAAA==")
        #expect(hash.averageColor.alpha == 0)
        #expect(try hash.image().pixels.levels.enumerated().allSatisfy { $0 % 4 != 3 || $1 == 0 })
    }

    @Test(arguments: [PixelSize(1, 1), PixelSize(2, 1), PixelSize(1, 300), PixelSize(300, 150)])
    func `a picture of any size has a hash of its color`(size: PixelSize) throws {
        let hash = try ThumbHash(of: HashPicture.flat(size, [200, 100, 50, 255]))
        let color = hash.averageColor
        #expect(abs(color.red * 255 - 200) < 6 && abs(color.green * 255 - 100) < 6 && abs(color.blue * 255 - 50) < 6)
        #expect((hash.aspectRatio < 1) == (size.width < size.height))
    }

    @Test func `base64 padding is optional`() throws {
        let text = "nCOGVJIskIdWeIiHBzdnkG7Yh/d0Z3h4Bw=="
        #expect(try ThumbHash(String(text.dropLast(2))) == ThumbHash(text))
        let data = try #require(Data(base64Encoded: text))
        #expect(try ThumbHash(text).data == data)
    }

    // MARK: Damage

    @Test(arguments: ThumbHashTests.known)
    func `every wrong length is an error`(known: Known) throws {
        let data = try #require(Data(base64Encoded: known.text))
        var wrong = (0..<data.count).map { Data(data.prefix($0)) }
        wrong.append(data + Data(count: 1))
        wrong.append(data + Data(count: 100_000))
        for bytes in wrong {
            let error = #expect(throws: ImageError.self) { try ThumbHash(bytes) }
            #expect(error?.code == .badData)
        }
    }

    @Test(arguments: [
        "", "=", "====", "nope!", "nRQKfZKgh4d1eHiJiHiHiICSCPp", "é", String(repeating: "A", count: 100_000),
    ])
    func `an invalid text is an error`(text: String) {
        let error = #expect(throws: ImageError.self) { try ThumbHash(text) }
        #expect(error?.code == .badData)
        #expect((error?.description.count ?? 0) < 200)
    }

    @Test func `an empty picture is an error`() throws {
        var data = try #require(Data(base64Encoded: "nRQKfZKgh4d1eHiJiHiHiICSCPpm"))
        data[3] &= 0xF8
        for count in 5...data.count {
            let error = #expect(throws: ImageError.self) { try ThumbHash(data.prefix(count)) }
            #expect(error?.code == .badData)
        }
    }

    @Test func `any bytes give a picture or an error`() {
        var random = SplitMix64(seed: 25)
        for _ in 0..<10 {
            let bytes = (0..<40).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            var drawn = 0
            for count in 0...bytes.count {
                do throws(ImageError) {
                    let hash = try ThumbHash(Data(bytes.prefix(count)))
                    let size = try hash.image().size
                    #expect(max(size.width, size.height) == 32 && min(size.width, size.height) > 0)
                    drawn += 1
                } catch {
                    #expect(error.code == .badData)
                }
            }
            #expect(drawn <= 1, "the length of a hash follows from its header")
        }
    }
}
