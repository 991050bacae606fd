extension Option {
    static let help = Option("--help", short: "-h", "show this")
    static let json = Option("--json", "one JSON object a line, for programs")

    // MARK: What the picture should be

    static let thumbnail = Option(
        "--thumbnail", value: "WxH", "decode to at most this size in pixels; a side of 0 does not limit")
    static let transform = Option(
        "--transform", value: "RECIPE", "transform by a recipe, see 'calotype plugins'; may be repeated")
    static let frame = Option("--frame", value: "N", "the frame of an animation, 0 being the first")
    static let frameRate = Option("--frame-rate", value: "N", "keep at most this number of frames a second")
    static let frameCount = Option("--frame-count", value: "N", "keep at most this number of frames of an animation")
    static let nativeDepth = Option("--native-depth", "keep more than 8 bits of a channel")
    static let keepOrientation = Option("--keep-orientation", "leave the pixels as stored, not turned upright")
    static let keepProfile = Option("--keep-profile", "leave the colours in the embedded profile, not in sRGB")
    static let set = Option(
        "--set", value: "KEY=VALUE", "set any context value, or say off; see 'calotype plugins'; may be repeated")

    // MARK: Where it goes

    static let output = Option(
        "--output", short: "-o", value: "FILE|DIR", "write the picture; several go into a folder")
    static let format = Option(
        "--format", value: "F", "the format to write; default: by the file's extension, else the source's")
    static let quality = Option("--quality", value: "1-100", "how good a lossy format should be; default: 90")

    // MARK: How it is done

    static let cache = Option("--cache", value: "DIR|none", "the folder of the cache, or no cache at all")
    static let cacheFolder = Option("--cache", value: "DIR", "the folder of the cache")
    static let concurrency = Option("--concurrency", value: "N", "sources loaded at the same time; default: 4")

    // MARK: How much of a cache goes

    static let trimSize = Option("--to", value: "SIZE", "trim to at most this size, for example 200M, 1.5G or 64KiB")
    static let trimAge = Option(
        "--older-than", value: "AGE", "trim what was not used for so long, for example 30min, 12h, 7d or 2w")

    /// The options of `load`, and of what speaks about a `load`.
    static let loading: [Option] = [
        .output, .thumbnail, .transform, .format, .quality, .frameRate, .frameCount, .set, .cache, .concurrency, .json,
    ]
}
