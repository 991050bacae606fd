import Calotype
import CalotypeTesting

/// An encoder of ``FaultyCoder``'s files, with the coder's defect.
struct FaultyEncoder: ImageEncoder {
    let coder: FaultyCoder

    var writesAnimations: Bool { true }
    var storesOrientation: Bool { true }

    func encode(_ image: Image, options: EncodeOptions, job: Job) throws -> Data {
        guard image.pixels.format != .rgbaFloat, max(image.width, image.height) <= 255 else {
            throw ImageError(.encodeFailed, stage: .encode, message: "does not fit")
        }
        do {
            return try file(of: image, options, job: job)
        } catch let error as ImageError where error.code == .timedOut && coder.defect == .encoderWrapsTimeouts {
            throw ImageError(.encodeFailed, stage: .encode, message: "failed", cause: error)
        }
    }

    private func file(of image: Image, _ options: EncodeOptions, job: Job) throws -> Data {
        var file = FaultyFile(size: image.size)
        file.hasAlpha = !image.pixels.isOpaque && coder.defect != .losesAlpha
        file.isDeep = image.pixels.format == .rgba16 && coder.defect != .losesDepth
        if options.embedsProfile, coder.defect != .losesProfile, case .icc(let profile) = image.attributes.profile {
            file.profile = profile
        }
        if coder.defect != .losesOrientation { file.orientation = image.attributes.orientation }
        if let frames = image.frames, coder.defect != .losesFrames {
            file.loopCount = coder.defect == .losesLoopCount ? 0 : frames.loopCount
            for index in 0..<frames.frameCount {
                let region = PixelRegion(size: image.size)
                file.frames.append(FrameInfo(duration: frames.duration(ofFrame: index), region: region))
                try append(frames.frame(index, job: job), to: &file, job: job)
            }
        } else {
            try append(image.pixels, to: &file, job: job)
        }
        return coder.defect == .writesCounter ? file.data + [coder.count()] : file.data
    }

    private func append(_ pixels: PixelBuffer, to file: inout FaultyFile, job: Job) throws {
        for y in 0..<pixels.height {
            if coder.defect != .encoderIgnoresCancelling { try job.check() }
            file.append(row: row(y, of: pixels))
        }
    }

    private func row(_ y: Int, of pixels: PixelBuffer) -> Data {
        pixels.withRow(y) { (row: RawSpan) -> Data in
            row.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Data in
                var data = Data()
                for index in 0..<pixels.width * 4 {
                    if pixels.format == .rgba16 {
                        let sample = bytes.load(fromByteOffset: index * 2, as: UInt16.self)
                        if coder.defect != .losesDepth { data.append(UInt8(truncatingIfNeeded: sample)) }
                        data.append(UInt8(sample >> 8))
                    } else if coder.defect == .losesAlpha, index % 4 == 3 {
                        data.append(255)
                    } else {
                        // Full values are kept, or a changed alpha would be found first.
                        let isKept = coder.defect != .losesBits || bytes[index] == 255
                        data.append(isKept ? bytes[index] : bytes[index] & 0xFE)
                    }
                }
                return data
            }
        }
    }
}
