#if HTTP
import CCurlShim
public import Calotype

extension Plugin {
    /// A plugin that loads over HTTP and HTTPS, with the default configuration.
    public static let http = Plugin.http(CurlImageLoader.Configuration())

    /// Returns a plugin that loads over HTTP and HTTPS, with a configuration. Each manager gets its own loader.
    public static func http(_ configuration: CurlImageLoader.Configuration) -> Plugin {
        Plugin(
            name: "HTTP",
            libraries: [Library(name: "libcurl", version: String(cString: ccurl_version()))],
            keys: [
                ContextKey<HTTPHeaders>.httpHeaders.declaration,
                ContextKey<Duration>.connectTimeout.declaration,
                ContextKey<Duration>.transferTimeout.declaration,
                ContextKey<Int>.lowSpeedLimit.declaration,
                ContextKey<Duration>.lowSpeedTime.declaration,
                ContextKey<Int>.maxRedirects.declaration,
                ContextKey<ProxyPolicy>.proxyPolicy.declaration,
                ContextKey<CertificateAuthorities?>.certificateAuthorities.declaration,
                ContextKey<HTTPStatusCodes>.acceptableStatusCodes.declaration,
                ContextKey<MediaTypes>.acceptableContentTypes.declaration,
            ]
        ) { $0.loaders.add(CurlImageLoader(configuration)) }
    }
}
#else
public import Calotype

extension Plugin {
    /// The plugin for HTTP and HTTPS. It is unavailable in this build, because the package trait `HTTP` is off.
    @available(*, unavailable, message: "enable the trait 'HTTP' of the package 'calotype', which needs libcurl")
    public static var http: Plugin { Plugin(name: "HTTP") { _ in } }
}
#endif
