extension ImageContext {
    /// Limits for URLs and bytes from untrusted sources, suitable for a server.
    ///
    /// Only `http` and `https` are loaded, and connections go to public addresses only. To load files, set the schemes
    /// and the directories: `.allowedSchemes(["http", "https", "file"])` with `.allowedDirectories`.
    ///
    /// Coders that do not accept untrusted bytes are not used. To use them at your own risk, name their formats with
    /// `.admittedFormats`.
    public static let server: ImageContext = [
        .allowedSchemes(["http", "https"]),
        .maxPixels(50_000_000), .maxSidePixels(16_384), .maxFrames(1000), .maxTotalPixels(400_000_000),
        .maxMetadataBytes(1 << 20), .maxInputBytes(64 << 20), .timeout(.seconds(30)), .decodeTimeout(.seconds(10)),
        .maxConcurrentTransfers(256), .maxConcurrentTransfersPerHost(6), .maxArrivingBytes(512 << 20),
        .addressPolicy(.publicOnly), .admittedFormats([]),
    ]
}
