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

/// A plugin's trait, as a compilation condition of its C shim; Swift targets see traits by themselves.
func shimSettings(trait: String) -> [CSetting] {
    cSettings + [.define("CALOTYPE_\(trait)", .when(traits: [trait]))]
}

let package = Package(
    name: "calotype",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "Calotype", targets: ["Calotype"]),
        .library(name: "CalotypeFile", targets: ["CalotypeFile"]),
        .library(name: "CalotypePNG", targets: ["CalotypePNG"]),
        .library(name: "CalotypeStandard", targets: ["CalotypeStandard"]),
        .library(name: "CalotypeTesting", targets: ["CalotypeTesting"]),
        .executable(name: "calotype", targets: ["CalotypeCommandLine"]),
    ],
    traits: [
        .trait(name: "PNG", description: "PNG through libpng."),
        .default(enabledTraits: ["PNG"]),
    ],
    targets: [
        // Core: no third-party library.
        .target(name: "CKernels", path: "Sources/Core/CKernels", cSettings: cSettings),
        .target(
            name: "Calotype",
            dependencies: ["CKernels"],
            path: "Sources/Core",
            exclude: ["CKernels"],
            swiftSettings: settings),

        // Plugins: each with its own library.
        .target(
            name: "CalotypeFile",
            dependencies: ["Calotype"],
            path: "Sources/Plugins/FileLoader",
            swiftSettings: settings),
        .systemLibrary(
            name: "CPNG",
            path: "Sources/Plugins/PNGCoder/CPNG",
            pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .target(
            name: "CPNGShim",
            dependencies: [.target(name: "CPNG", condition: .when(traits: ["PNG"]))],
            path: "Sources/Plugins/PNGCoder/CPNGShim",
            cSettings: shimSettings(trait: "PNG")),
        .target(
            name: "CalotypePNG",
            dependencies: [
                "Calotype",
                .target(name: "CPNG", condition: .when(traits: ["PNG"])),
                .target(name: "CPNGShim", condition: .when(traits: ["PNG"])),
            ],
            path: "Sources/Plugins/PNGCoder",
            exclude: ["CPNG", "CPNGShim"],
            swiftSettings: settings),

        // Everything at once, and what authors of plugins test with.
        .target(
            name: "CalotypeStandard",
            dependencies: ["Calotype", "CalotypeFile", "CalotypePNG"],
            path: "Sources/Plugins/Standard",
            swiftSettings: settings),
        .target(
            name: "CalotypeTesting",
            dependencies: ["Calotype"],
            path: "Sources/Plugins/Testing",
            swiftSettings: settings),

        // Not named after its product: on disks that ignore case it would be the core's module.
        .executableTarget(
            name: "CalotypeCommandLine",
            dependencies: ["CalotypeStandard"],
            path: "Examples/CommandLine",
            swiftSettings: settings),

        .executableTarget(
            name: "sample-pictures",
            dependencies: ["CalotypeStandard"],
            path: "Examples/SamplePictures",
            swiftSettings: settings),

        .target(
            name: "BenchmarkFloors",
            dependencies: [.target(name: "CPNG", condition: .when(traits: ["PNG"]))],
            path: "Benchmarks/Floors",
            cSettings: shimSettings(trait: "PNG")),
        .executableTarget(
            name: "calotype-benchmarks",
            dependencies: ["BenchmarkFloors", "CalotypeStandard", "CalotypeTesting"],
            path: "Benchmarks",
            exclude: ["Floors", "README.md", "budgets.json", "peers.py"],
            swiftSettings: settings),

        .testTarget(
            name: "CalotypeTests",
            dependencies: ["Calotype", "CalotypeTesting", "CKernels"],
            path: "Tests/Core",
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeFileTests",
            dependencies: ["Calotype", "CalotypeFile", "CalotypeTesting"],
            path: "Tests/FileLoader",
            swiftSettings: settings),
        .testTarget(
            name: "CalotypePNGTests",
            dependencies: ["Calotype", "CalotypePNG", "CalotypeTesting"],
            path: "Tests/PNGCoder",
            exclude: ["make-fixtures.py"],
            resources: [.copy("Fixtures")],
            swiftSettings: settings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: ["CalotypeStandard"],
            path: "Tests/CommandLine",
            swiftSettings: settings),
        .testTarget(
            name: "CalotypeStandardTests",
            dependencies: ["CalotypeStandard", "CalotypeTesting"],
            path: "Tests/Standard",
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
