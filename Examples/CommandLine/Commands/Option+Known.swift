extension Option {
    static let help = Option("--help", short: "-h", "show this help")
    static let json = Option("--json", "print one JSON object per line")

    // MARK: The picture

    static let thumbnail = Option(
        "--thumbnail", value: "WxH", "limit the decoded size in pixels; 0 leaves a side unlimited")
    static let transform = Option(
        "--transform", value: "RECIPE", "apply a transformer recipe; see 'calotype plugins'; may be repeated")
    static let frame = Option("--frame", value: "N", "decode this frame of an animation; the first is 0")
    static let frameRate = Option("--frame-rate", value: "N", "keep at most N frames per second")
    static let frameCount = Option("--frame-count", value: "N", "keep at most N frames of an animation")
    static let nativeDepth = Option("--native-depth", "keep more than 8 bits per channel")
    static let keepOrientation = Option("--keep-orientation", "keep the stored orientation; do not turn upright")
    static let keepProfile = Option("--keep-profile", "keep the embedded color profile; do not convert to sRGB")
    static let set = Option(
        "--set", value: "KEY=VALUE", "set a context value; off resets it; see 'calotype plugins'; may be repeated")

    // MARK: The output

    static let output = Option(
        "--output", short: "-o", value: "FILE|DIR", "write the image to a file, or several images to a directory")
    static let format = Option(
        "--format", value: "F", "output format; default: from the file extension, otherwise that of the source")
    static let quality = Option("--quality", value: "1-100", "quality of lossy formats; default: 90")

    // MARK: Execution

    static let cache = Option("--cache", value: "DIR|none", "cache directory, or none to disable caching")
    static let cacheDirectory = Option("--cache", value: "DIR", "cache directory")
    static let concurrency = Option("--concurrency", value: "N", "maximum number of concurrent loads; default: 4")

    // MARK: Trimming

    static let trimSize = Option("--to", value: "SIZE", "trim to at most this size, for example 200M, 1.5G or 64KiB")
    static let trimAge = Option(
        "--older-than", value: "AGE", "remove entries unused for longer than this, for example 30min, 12h, 7d or 2w")

    /// The options of `calotype load`, which `calotype explain` accepts too.
    static let loading: [Option] = [
        .output, .thumbnail, .transform, .format, .quality, .frameRate, .frameCount, .set, .cache, .concurrency, .json,
    ]
}
