// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// The settings of every C target.
let cSettings: [CSetting] = [
    .treatAllWarnings(as: .error)
]

/// Traits of plugins, as compilation conditions of C; Swift targets see traits by themselves.
func shimSettings(traits: String...) -> [CSetting] {
    cSettings + traits.map { .define("CALOTYPE_\($0)", .when(traits: [$0])) }
}

let package = Package(
    name: "calotype",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Calotype", targets: ["Calotype"]),
        .library(name: "CalotypeHTTP", targets: ["CalotypeHTTP"]),
        .library(name: "CalotypeFile", targets: ["CalotypeFile"]),
        .library(name: "CalotypeDataURI", targets: ["CalotypeDataURI"]),
        .library(name: "CalotypePNG", targets: ["CalotypePNG"]),
        .library(name: "CalotypeJPEG", targets: ["CalotypeJPEG"]),
        .library(name: "CalotypeWebP", targets: ["CalotypeWebP"]),
        .library(name: "CalotypeGIF", targets: ["CalotypeGIF"]),
        .library(name: "CalotypeHEIF", targets: ["CalotypeHEIF"]),
        .library(name: "CalotypeColor", targets: ["CalotypeColor"]),
        .library(name: "CalotypeTransformers", targets: ["CalotypeTransformers"]),
        .library(name: "CalotypeStandard", targets: ["CalotypeStandard"]),
        .library(name: "CalotypeTesting", targets: ["CalotypeTesting"]),
        .executable(name: "calotype", targets: ["CalotypeCommandLine"]),
    ],
    traits: [
        .trait(name: "HTTP", description: "HTTP and HTTPS through libcurl."),
        .trait(name: "PNG", description: "PNG through libpng."),
        .trait(name: "DEFLATE", description: "Faster PNG through libdeflate, together with the trait PNG."),
        .trait(name: "JPEG", description: "JPEG through libjpeg-turbo."),
        .trait(name: "WEBP", description: "WebP through libwebp."),
        .trait(name: "GIF", description: "GIF through giflib."),
        .trait(name: "HEIF", description: "HEIC and AVIF through libheif."),
        .trait(name: "COLOR", description: "Color management through Little CMS."),
        .default(enabledTraits: ["HTTP", "PNG", "DEFLATE", "JPEG", "WEBP", "GIF", "HEIF", "COLOR"]),
    ],
    targets: [
        // Core: no third-party library.
        .target(name: "CKernels", path: "Sources/Core/CKernels", cSettings: cSettings),
        .target(name: "CFiles", path: "Sources/Core/CFiles", cSettings: cSettings),
        .target(
            name: "Calotype",
            dependencies: ["CFiles", "CKernels"],
            path: "Sources/Core",
            exclude: ["CFiles", "CKernels", "Pipeline/Consistency/README.md"],
            swiftSettings: settings),

        // Plugins: each with its own library.
        .systemLibrary(
            name: "CCurl",
            path: "Sources/Plugins/HTTPLoader/CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .target(
            name: "CCurlShim",
            dependencies: [.target(name: "CCurl", condition: .when(traits: ["HTTP"]))],
            path: "Sources/Plugins/HTTPLoader/CCurlShim",
            cSettings: shimSettings(traits: "HTTP")),
        .target(
            name: "CalotypeHTTP",
            dependencies: [
                "Calotype",
                .target(name: "CCurl", condition: .when(traits: ["HTTP"])),
                .target(name: "CCurlShim", condition: .when(traits: ["HTTP"])),
            ],
            path: "Sources/Plugins/HTTPLoader",
            exclude: ["CCurl", "CCurlShim"],
            swiftSettings: settings),
        .target(
            name: "CalotypeFile",
            dependencies: ["Calotype"],
            path: "Sources/Plugins/FileLoader",
            swiftSettings: settings),
        .target(
            name: "CalotypeDataURI",
            dependencies: ["Calotype"],
            path: "Sources/Plugins/DataURILoader",
            swiftSettings: settings),
        .systemLibrary(
            name: "CPNG",
            path: "Sources/Plugins/PNGCoder/CPNG",
            pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .systemLibrary(
            name: "CDeflate",
            path: "Sources/Plugins/PNGCoder/CDeflate",
            pkgConfig: "libdeflate",
            providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
        .target(
            name: "CPNGShim",
            dependencies: ["CKernels", .target(name: "CPNG", condition: .when(traits: ["PNG"]))],
            path: "Sources/Plugins/PNGCoder/CPNGShim",
            cSettings: shimSettings(traits: "PNG")),
        .target(
            name: "CalotypePNG",
            dependencies: [
                "Calotype", "CKernels",
                .target(name: "CDeflate", condition: .when(traits: ["DEFLATE"])),
                .target(name: "CPNG", condition: .when(traits: ["PNG"])),
                .target(name: "CPNGShim", condition: .when(traits: ["PNG"])),
            ],
            path: "Sources/Plugins/PNGCoder",
            exclude: ["CDeflate", "CPNG", "CPNGShim"],
            swiftSettings: settings),
        .systemLibrary(
            name: "CJPEG",
            path: "Sources/Plugins/JPEGCoder/CJPEG",
            pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
        .target(
            name: "CJPEGShim",
            dependencies: [.target(name: "CJPEG", condition: .when(traits: ["JPEG"]))],
            path: "Sources/Plugins/JPEGCoder/CJPEGShim",
            cSettings: shimSettings(traits: "JPEG")),
        .target(
            name: "CalotypeJPEG",
            dependencies: [
                "Calotype",
                .target(name: "CJPEG", condition: .when(traits: ["JPEG"])),
                .target(name: "CJPEGShim", condition: .when(traits: ["JPEG"])),
            ],
            path: "Sources/Plugins/JPEGCoder",
            exclude: ["CJPEG", "CJPEGShim"],
            swiftSettings: settings),

        .systemLibrary(
            name: "CWebP",
            path: "Sources/Plugins/WebPCoder/CWebP",
            pkgConfig: "libwebp",
            providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        .target(
            name: "CalotypeWebP",
            dependencies: ["Calotype", .target(name: "CWebP", condition: .when(traits: ["WEBP"]))],
            path: "Sources/Plugins/WebPCoder",
            exclude: ["CWebP"],
            swiftSettings: settings),
        .systemLibrary(
            name: "CGIF",
            path: "Sources/Plugins/GIFCoder/CGIF",
            providers: [.apt(["libgif-dev"]), .brew(["giflib"])]),
        .target(
            name: "CalotypeGIF",
            dependencies: ["Calotype", .target(name: "CGIF", condition: .when(traits: ["GIF"]))],
            path: "Sources/Plugins/GIFCoder",
            exclude: ["CGIF"],
            swiftSettings: settings),
        .systemLibrary(
            name: "CHEIF",
            path: "Sources/Plugins/HEIFCoder/CHEIF",
            pkgConfig: "libheif",
            providers: [.apt(["libheif-dev"]), .brew(["libheif"])]),
        .target(
            name: "CalotypeHEIF",
            dependencies: ["Calotype", .target(name: "CHEIF", condition: .when(traits: ["HEIF"]))],
            path: "Sources/Plugins/HEIFCoder",
            exclude: ["CHEIF"],
            swiftSettings: settings),
        .systemLibrary(
            name: "CLCMS",
            path: "Sources/Plugins/ColorManagement/CLCMS",
            pkgConfig: "lcms2",
            providers: [.apt(["liblcms2-dev"]), .brew(["little-cms2"])]),
        .target(
            name: "CalotypeColor",
            dependencies: ["Calotype", "CKernels", .target(name: "CLCMS", condition: .when(traits: ["COLOR"]))],
            path: "Sources/Plugins/ColorManagement",
            exclude: ["CLCMS"],
            swiftSettings: settings),

        .target(
            name: "CalotypeTransformers",
            dependencies: ["Calotype", "CKernels"],
            path: "Sources/Plugins/Transformers",
            swiftSettings: settings),

        // Everything at once, and what authors of plugins test with.
        .target(
            name: "CalotypeStandard",
            dependencies: [
                "Calotype", "CalotypeHTTP", "CalotypeFile", "CalotypeDataURI", "CalotypePNG", "CalotypeJPEG",
                "CalotypeWebP", "CalotypeGIF", "CalotypeHEIF", "CalotypeColor", "CalotypeTransformers",
            ],
            path: "Sources/Plugins/Standard",
            swiftSettings: settings),
        .target(
            name: "CalotypeTesting",
            dependencies: ["Calotype"],
            path: "Sources/Plugins/Testing",
            swiftSettings: settings),

        .target(name: "CLimits", path: "Examples/CommandLine/CLimits", cSettings: cSettings),
        // Not named after its product: on disks that ignore case it would be the core's module.
        .executableTarget(
            name: "CalotypeCommandLine",
            dependencies: ["CLimits", "CalotypeStandard"],
            path: "Examples/CommandLine",
            exclude: ["CLimits"],
            swiftSettings: settings),

        .executableTarget(
            name: "calotype-demo",
            dependencies: ["CalotypeStandard", "CalotypeTesting"],
            path: "Examples/Demonstration",
            swiftSettings: settings),
        .executableTarget(
            name: "sample-pictures",
            dependencies: ["CalotypeStandard"],
            path: "Examples/SamplePictures",
            exclude: ["Files"],
            swiftSettings: settings),

        .target(
            name: "BenchmarkFloors",
            dependencies: [
                .target(name: "CCurl", condition: .when(traits: ["HTTP"])),
                .target(name: "CPNG", condition: .when(traits: ["PNG"])),
                .target(name: "CDeflate", condition: .when(traits: ["DEFLATE"])),
                .target(name: "CJPEG", condition: .when(traits: ["JPEG"])),
                .target(name: "CWebP", condition: .when(traits: ["WEBP"])),
                .target(name: "CGIF", condition: .when(traits: ["GIF"])),
                .target(name: "CHEIF", condition: .when(traits: ["HEIF"])),
                .target(name: "CLCMS", condition: .when(traits: ["COLOR"])),
            ],
            path: "Benchmarks/Floors",
            cSettings: shimSettings(traits: "HTTP", "PNG", "DEFLATE", "JPEG", "WEBP", "GIF", "HEIF", "COLOR")),
        .executableTarget(
            name: "calotype-benchmarks",
            dependencies: ["BenchmarkFloors", "CalotypeStandard", "CalotypeTesting"],
            path: "Benchmarks",
            exclude: ["Floors", "README.md", "budgets.json", "peers.py"],
            swiftSettings: settings),

        // What is well-formed and absurd, for the tests of parsers and for the fuzzer.
        .target(
            name: "HostileStructures",
            dependencies: ["CalotypeTesting"],
            path: "Tests/HostileStructures",
            swiftSettings: settings),
        .executableTarget(
            name: "calotype-fuzz",
            dependencies: ["CalotypeStandard", "CalotypeTesting", "HostileStructures"],
            path: "Tests/Fuzz",
            swiftSettings: settings),

        // The command `openssl`, for tests of TLS.
        .target(
            name: "OpenSSLKit",
            dependencies: ["Calotype"],
            path: "Tests/OpenSSLKit",
            swiftSettings: settings),

        // What tests of coders compare pictures with.
        .target(
            name: "CoderKit",
            dependencies: ["Calotype"],
            path: "Tests/CoderKit",
            exclude: ["make-conformance.py"],
            swiftSettings: settings),

        // What tests of the disk cache start and kill, and what it stores.
        .target(
            name: "CacheWriterKit",
            dependencies: ["Calotype"],
            path: "Tests/CacheWriter/Kit",
            swiftSettings: settings),
        .executableTarget(
            name: "calotype-cache-writer",
            dependencies: ["CacheWriterKit", "Calotype"],
            path: "Tests/CacheWriter",
            exclude: ["Kit"],
            swiftSettings: settings),

        .testTarget(
            name: "CalotypeTests",
            dependencies: ["CacheWriterKit", "Calotype", "CalotypeTesting", "CKernels"],
            path: "Tests/Core",
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeFileTests",
            dependencies: ["Calotype", "CalotypeFile", "CalotypeTesting"],
            path: "Tests/FileLoader",
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeHTTPTests",
            dependencies: ["Calotype", "CalotypeHTTP", "CalotypeTesting", "OpenSSLKit"],
            path: "Tests/HTTPLoader",
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeDataURITests",
            dependencies: ["Calotype", "CalotypeDataURI", "CalotypeTesting"],
            path: "Tests/DataURILoader",
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeJPEGTests",
            dependencies: ["Calotype", "CalotypeJPEG", "CalotypeTesting", "CoderKit"],
            path: "Tests/JPEGCoder",
            exclude: ["make-fixtures.py"],
            resources: [.copy("Fixtures")],
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeWebPTests",
            dependencies: ["Calotype", "CalotypeTesting", "CalotypeWebP", "CoderKit"],
            path: "Tests/WebPCoder",
            exclude: ["make-fixtures.py"],
            resources: [.copy("Conformance"), .copy("Fixtures")],
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeGIFTests",
            dependencies: ["Calotype", "CalotypeGIF", "CalotypeTesting", "CoderKit"],
            path: "Tests/GIFCoder",
            exclude: ["make-fixtures.py"],
            resources: [.copy("Conformance"), .copy("Fixtures")],
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeHEIFTests",
            dependencies: ["Calotype", "CalotypeHEIF", "CalotypeTesting", "CoderKit"],
            path: "Tests/HEIFCoder",
            exclude: ["make-fixtures.py"],
            resources: [.copy("Conformance"), .copy("Fixtures")],
            swiftSettings: settings),
        .testTarget(
            name: "CalotypePNGTests",
            dependencies: [
                "Calotype", "CalotypePNG", "CalotypeTesting",
                .target(name: "CDeflate", condition: .when(traits: ["DEFLATE"])),
            ],
            path: "Tests/PNGCoder",
            exclude: ["make-fixtures.py"],
            resources: [.copy("Fixtures")],
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeColorTests",
            dependencies: [
                "Calotype", "CalotypeColor", "CalotypeTesting", "HostileStructures",
                .target(name: "CLCMS", condition: .when(traits: ["COLOR"])),
            ],
            path: "Tests/ColorManagement",
            exclude: ["make-fixtures.py"],
            resources: [.copy("Fixtures")],
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeTransformersTests",
            dependencies: ["Calotype", "CalotypeTesting", "CalotypeTransformers"],
            path: "Tests/Transformers",
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeTestingTests",
            dependencies: ["Calotype", "CalotypeTesting"],
            path: "Tests/Testing",
            swiftSettings: settings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["CalotypeStandard", "CalotypeTesting", "OpenSSLKit"],
            path: "Tests/CommandLine",
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeStandardTests",
            dependencies: ["CalotypeStandard", "CalotypeTesting"],
            path: "Tests/Standard",
            exclude: ["make-fixtures.py", "Fixtures"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
