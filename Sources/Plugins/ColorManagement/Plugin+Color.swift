#if COLOR
import CLCMS
public import Calotype

extension Plugin {
    /// A plugin that converts the colors of embedded ICC profiles to sRGB.
    public static let color = Plugin(name: "Color", libraries: [Library(name: "Little CMS", version: version)]) {
        $0.colorConverters.add(LittleCMSColorConverter())
    }

    /// The version of Little CMS as text. The library reports it as a number: 2140 for 2.14, 2131 for 2.13.1.
    private static var version: String {
        let number = cmsGetEncodedCMMversion()
        let (minor, patch) = (number / 10 % 100, number % 10)
        return "\(number / 1000).\(minor)" + (patch > 0 ? ".\(patch)" : "")
    }
}
#else
public import Calotype

extension Plugin {
    /// The plugin for embedded ICC profiles. It is unavailable in this build, because the package trait `COLOR` is off.
    @available(*, unavailable, message: "enable the trait 'COLOR' of the package 'calotype', which needs Little CMS")
    public static var color: Plugin { Plugin(name: "COLOR") { _ in } }
}
#endif
