import CalotypeStandard

extension VariantKey {
    /// Returns keys for a number of pictures: for each one its original, then its thumbnails.
    ///
    /// The keys are new each time, so their file names are not yet known. The texts of pictures have equal lengths, and
    /// so have their files.
    static func pictures(_ count: Int, thumbnailCount: Int = 0) -> [VariantKey] {
        (0..<count).flatMap { number -> [VariantKey] in
            let source = SourceKey("https://example.org/pictures/\(1_000_000 + number).jpg")
            let thumbnails = (0..<thumbnailCount).map { size in
                VariantKey(source: source, variant: "thumbnailPixelSize=\(size + 1)00x\(size + 1)00")
            }
            return [VariantKey(source: source)] + thumbnails
        }
    }
}
