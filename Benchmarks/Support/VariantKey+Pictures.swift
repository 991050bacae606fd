import CalotypeStandard

extension VariantKey {
    /// Keys of so many pictures, one picture after the other: its original, then its thumbnails.
    ///
    /// They are new each time: what their files are called is not known yet. Pictures have equally long texts, and so
    /// equally long files.
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
