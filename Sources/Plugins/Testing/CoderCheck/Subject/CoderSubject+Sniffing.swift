import Calotype

extension CoderSubject {
    /// Checks that the coder recognizes the sample, even if only its first 64 bytes are available.
    func checkSniffing() throws {
        let head = Data(sample.data.prefix(Self.headByteCount))
        try expect(
            coder.formats.contains { $0.matches(head.bytes) },
            "a signature of \(coder.formats.map(\.name).joined(separator: " or "))",
            but: "none of them is at the beginning", advice: "complete `ImageFormat.signatures`")
        let info = try decoder().info
        if let format = sample.format {
            try expect(
                info.format == format, "the format \(format.name)", but: "`info` has \(info.format.name)",
                advice: "return the format of the signature")
        }
        do {
            _ = try decoder(of: head)
        } catch let breach as Breach {
            throw breach
        } catch {
            // An error about the missing rest is acceptable, because the coder has recognized the file.
        }
    }

    /// Checks that the coder declines a file of another format.
    func checkDeclining() throws {
        do {
            let decoder = try coder.decoder(for: ImageBytes(sample.data), options: DecodeOptions())
            try expect(
                decoder == nil, "nil from `decoder(for:)`", but: "it claims these bytes",
                advice: "begin with `guard recognizes(bytes) else { return nil }`")
            let head = ImageBytes()
            try head.append(Data(sample.data.prefix(Self.headByteCount)))
            let progressive = try coder.progressiveDecoder(for: head, options: DecodeOptions())
            try expect(
                progressive == nil, "nil from `progressiveDecoder(for:)`", but: "it claims these bytes",
                advice: "begin with `guard recognizes(head) else { return nil }`")
        } catch let breach as Breach {
            throw breach
        } catch {
            throw Breach(
                expected: "nil for bytes of another format", but: "it threw '\(error)'",
                advice: "throw only if the signature matches")
        }
    }
}

extension CoderExamination {
    /// Returns samples that a coder must decline, because they are not in any of its formats.
    static func foreignSamples(to coder: any ImageCoder) -> [CoderSample] {
        var random = SplitMix64(seed: 1)
        func noise(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }) }
        var samples = [
            CoderSample("no bytes", Data()), CoderSample("one byte", Data([0])), CoderSample("zeros", Data(count: 64)),
            CoderSample("a web page", Data("<!DOCTYPE html><html><head><title>Not found</title></head></html>".utf8)),
        ]
        samples += (1...8).map { CoderSample("random bytes \($0)", noise(64)) }
        let formats: [ImageFormat] = [.png, .jpeg, .gif, .webp, .heic, .avif, .tiff, .bmp]
        for format in formats where !coder.formats.contains(format) {
            for signature in format.signatures {
                let head = Data(count: signature.offset) + Data(signature.bytes) + noise(64)
                // A format may begin with the same bytes as a format of the coder.
                guard !coder.formats.contains(where: { $0.matches(head.bytes) }) else { continue }
                samples.append(CoderSample("the signature of \(format.name)", head))
            }
        }
        return samples
    }
}
