extension ResolvedContext {
    /// Throws `schemeRefused` if the context value `allowedSchemes` does not contain the scheme of a URL.
    package func checkScheme(of url: URL) throws(ImageError) {
        guard let allowed = self[.allowedSchemes], !allowed.contains(url) else { return }
        throw ImageError(
            .schemeRefused, stage: .resolve, subject: url.redacted,
            message: "the scheme '\(url.scheme ?? "")' is not allowed",
            advice: "add the scheme to the context value `allowedSchemes` if the source is trusted")
    }
}
