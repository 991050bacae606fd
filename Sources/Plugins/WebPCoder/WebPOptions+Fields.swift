#if WEBP
import CWebP
import Calotype

/// The names of the options, and the fields of libwebp's configuration that the options set.
extension WebPOptions {
    /// An option that is a number.
    struct NumberField: Sendable {
        let name: String
        let range: ClosedRange<Int>
        let value: any WritableKeyPath<WebPOptions, Int?> & Sendable
        let place: any WritableKeyPath<WebPConfig, Int32> & Sendable
    }

    /// An option that is on or off.
    struct SwitchField: Sendable {
        let name: String
        let value: any WritableKeyPath<WebPOptions, Bool?> & Sendable
        /// The field of libwebp's configuration that the option sets; nil if the option concerns only animations.
        let place: (any WritableKeyPath<WebPConfig, Int32> & Sendable)?
    }

    static let numberFields: [NumberField] = [
        NumberField(
            name: "nearLossless", range: 0...100, value: \WebPOptions.nearLossless, place: \WebPConfig.near_lossless),
        NumberField(name: "method", range: 0...6, value: \WebPOptions.method, place: \WebPConfig.method),
        NumberField(
            name: "alphaQuality", range: 0...100, value: \WebPOptions.alphaQuality, place: \WebPConfig.alpha_quality),
        NumberField(
            name: "alphaFiltering", range: 0...2, value: \WebPOptions.alphaFiltering, place: \WebPConfig.alpha_filtering
        ),
        NumberField(
            name: "targetSize", range: 0...Int(Int32.max), value: \WebPOptions.targetSize,
            place: \WebPConfig.target_size),
        NumberField(name: "passes", range: 1...10, value: \WebPOptions.passes, place: \WebPConfig.pass),
        NumberField(name: "segments", range: 1...4, value: \WebPOptions.segments, place: \WebPConfig.segments),
        NumberField(
            name: "snsStrength", range: 0...100, value: \WebPOptions.snsStrength, place: \WebPConfig.sns_strength),
        NumberField(
            name: "filterStrength", range: 0...100, value: \WebPOptions.filterStrength,
            place: \WebPConfig.filter_strength),
        NumberField(
            name: "filterSharpness", range: 0...7, value: \WebPOptions.filterSharpness,
            place: \WebPConfig.filter_sharpness),
        NumberField(
            name: "preprocessing", range: 0...2, value: \WebPOptions.preprocessing, place: \WebPConfig.preprocessing),
        NumberField(name: "partitions", range: 0...3, value: \WebPOptions.partitions, place: \WebPConfig.partitions),
        NumberField(
            name: "partitionLimit", range: 0...100, value: \WebPOptions.partitionLimit,
            place: \WebPConfig.partition_limit),
    ]

    static let switchFields: [SwitchField] = [
        SwitchField(name: "exact", value: \WebPOptions.exact, place: \WebPConfig.exact),
        SwitchField(
            name: "alphaCompression", value: \WebPOptions.alphaCompression, place: \WebPConfig.alpha_compression),
        SwitchField(name: "sharpYUV", value: \WebPOptions.sharpYUV, place: \WebPConfig.use_sharp_yuv),
        SwitchField(name: "strongFilter", value: \WebPOptions.strongFilter, place: \WebPConfig.filter_type),
        SwitchField(name: "autoFilter", value: \WebPOptions.autoFilter, place: \WebPConfig.autofilter),
        SwitchField(
            name: "emulatesJPEGSize", value: \WebPOptions.emulatesJPEGSize, place: \WebPConfig.emulate_jpeg_size),
        SwitchField(name: "multithreading", value: \WebPOptions.multithreading, place: \WebPConfig.thread_level),
        SwitchField(name: "lowMemory", value: \WebPOptions.lowMemory, place: \WebPConfig.low_memory),
        SwitchField(name: "minimizesSize", value: \WebPOptions.minimizesSize, place: nil),
        SwitchField(name: "mixesFrames", value: \WebPOptions.mixesFrames, place: nil),
    ]

    /// Returns the options as a configuration for libwebp. Clamps numbers to their ranges.
    /// - Parameter quality: The quality of a lossy file, 0 (lowest) to 1 (highest).
    func configuration(quality: Double) -> WebPConfig {
        var configuration = WebPConfig()
        WebPConfigPreset(&configuration, preset.value, Float(quality * 100))
        for field in Self.numberFields {
            guard let value = self[keyPath: field.value] else { continue }
            configuration[keyPath: field.place] = Int32(
                min(max(value, field.range.lowerBound), field.range.upperBound))
        }
        for field in Self.switchFields {
            guard let value = self[keyPath: field.value], let place = field.place else { continue }
            configuration[keyPath: place] = value ? 1 : 0
        }
        if let targetPSNR, targetPSNR > 0 { configuration.target_PSNR = Float(min(targetPSNR, 99)) }
        // A single pass does not suffice to reach a target.
        if passes == nil, targetSize ?? 0 > 0 || targetPSNR ?? 0 > 0 { configuration.pass = 6 }
        if isLossless {
            configuration.lossless = 1
            // For lossless files, `quality` is the effort, which `method` already controls.
            configuration.quality = 75
        }
        return configuration
    }
}

extension WebPOptions.Preset {
    fileprivate var value: WebPPreset {
        switch self {
        case .default: WEBP_PRESET_DEFAULT
        case .picture: WEBP_PRESET_PICTURE
        case .photo: WEBP_PRESET_PHOTO
        case .drawing: WEBP_PRESET_DRAWING
        case .icon: WEBP_PRESET_ICON
        case .text: WEBP_PRESET_TEXT
        }
    }
}
#endif
