import BenchmarkFloors
import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// peers.py in a separate process. Its line protocol is documented there.
final class PeerWorker {
    /// The versions of the available peers, by name.
    let versions: [String: String]
    private let process: OpaquePointer

    private init(process: OpaquePointer, versions: [String: String]) {
        self.process = process
        self.versions = versions
    }

    deinit { benchmark_worker_end(process) }

    /// Starts the process, with `threadCount` threads for libvips, and waits until it has loaded its libraries.
    static func started(python: String, threadCount: Int) throws(BenchmarkError) -> PeerWorker {
        setenv("VIPS_CONCURRENCY", "\(threadCount)", 1)
        let script = SourceDirectory.url.appending(path: "peers.py").path(percentEncoded: false)
        guard let process = benchmark_worker_start(python, script) else {
            throw BenchmarkError("\(python) cannot be started")
        }
        let greeting = line(from: process, after: nil) ?? ""
        let words = greeting.split(separator: " ")
        guard words.first == "ready" else {
            benchmark_worker_end(process)
            throw BenchmarkError("\(python) could not run peers.py; run make bench, which installs its libraries")
        }
        var versions: [String: String] = [:]
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { versions[String(parts[0])] = String(parts[1]) }
        }
        return PeerWorker(process: process, versions: versions)
    }

    /// Makes the pixels in a file the source of the next calls.
    func take(_ kind: ResizingKind, _ size: PixelSize, at path: String) throws(BenchmarkError) {
        _ = try answer(to: "picture \(kind.rawValue) \(size.width) \(size.height) \(path)")
    }

    /// Resizes the source once, and writes the pixels to a file.
    func show(_ peer: Peers.Name, to target: PixelSize, at path: String) throws(BenchmarkError) {
        _ = try answer(to: "show \(peer.rawValue) \(target.width) \(target.height) \(path)")
    }

    /// Resizes the source `repeats` times. Returns the seconds that this took.
    func resize(_ peer: Peers.Name, to target: PixelSize, repeats: Int) throws(BenchmarkError) -> Double {
        try seconds(for: "resize \(peer.rawValue) \(target.width) \(target.height) \(repeats)")
    }

    /// Transforms the source once, and writes the pixels to a file.
    func show(_ peer: Peers.Name, _ operation: String, at path: String) throws(BenchmarkError) {
        _ = try answer(to: "transformed \(peer.rawValue) \(operation) \(path)")
    }

    /// Transforms the source `repeats` times. Returns the seconds that this took.
    func transform(_ peer: Peers.Name, _ operation: String, repeats: Int) throws(BenchmarkError) -> Double {
        try seconds(for: "transform \(peer.rawValue) \(operation) \(repeats)")
    }

    /// Makes the JPEG or PNG in a file the source of the next calls.
    func take(fileAt path: String) throws(BenchmarkError) {
        _ = try answer(to: "file \(path)")
    }

    /// Writes the RGB pixels of a thumbnail to a file, without encoding them.
    func look(_ peer: Peers.Name, at size: PixelSize, writingTo path: String) throws(BenchmarkError) {
        _ = try answer(to: "look \(peer.rawValue) \(size.width) \(size.height) \(path)")
    }

    /// Makes a JPEG thumbnail of a quality of 1...100 `repeats` times. Returns the seconds that this took.
    func thumbnail(
        _ peer: Peers.Name, _ size: PixelSize, quality: Int, repeats: Int
    ) throws(BenchmarkError) -> Double {
        try seconds(for: "thumbnail \(peer.rawValue) \(size.width) \(size.height) \(quality) \(repeats)")
    }

    /// Composes one frame of the source's animation, and writes its RGBA pixels to a file.
    func show(_ peer: Peers.Name, frame: Int, at path: String) throws(BenchmarkError) {
        _ = try answer(to: "frame \(peer.rawValue) \(frame) \(path)")
    }

    /// Composes all frames of the source's animation `repeats` times. Returns the seconds that this took.
    func play(_ peer: Peers.Name, repeats: Int) throws(BenchmarkError) -> Double {
        try seconds(for: "play \(peer.rawValue) \(repeats)")
    }

    /// Writes the source to a file as a GIF with a number of colors.
    func quantize(
        _ peer: Peers.Name, colors: Int, isDithered: Bool, writingTo path: String
    ) throws(BenchmarkError) {
        _ = try answer(to: "gif \(peer.rawValue) \(colors) \(isDithered ? "dithered" : "plain") \(path)")
    }

    /// Encodes the source as a GIF with a number of colors `repeats` times, without dithering. Returns the seconds that
    /// this took.
    func quantize(_ peer: Peers.Name, colors: Int, repeats: Int) throws(BenchmarkError) -> Double {
        try seconds(for: "quantize \(peer.rawValue) \(colors) \(repeats)")
    }

    /// Decodes the source, and writes its RGBA pixels of 8 bits to a file.
    func decode(_ peer: Peers.Name, writingTo path: String) throws(BenchmarkError) {
        _ = try answer(to: "pixels \(peer.rawValue) \(path)")
    }

    /// Decodes the source to RGBA of 8 bits `repeats` times. Returns the seconds that this took.
    func decode(_ peer: Peers.Name, repeats: Int) throws(BenchmarkError) -> Double {
        try seconds(for: "decode \(peer.rawValue) \(repeats)")
    }

    /// Encodes the source as a PNG, and writes it to a file.
    func encode(_ peer: Peers.Name, writingTo path: String) throws(BenchmarkError) {
        _ = try answer(to: "encoded \(peer.rawValue) \(path)")
    }

    /// Encodes the source as a PNG `repeats` times. Returns the seconds that this took.
    func encode(_ peer: Peers.Name, repeats: Int) throws(BenchmarkError) -> Double {
        try seconds(for: "encode \(peer.rawValue) \(repeats)")
    }

    /// Loads all files `repeats` times. Returns the seconds that this took.
    func get(_ batch: FileBatch, with peer: Peers.Name, repeats: Int) throws(BenchmarkError) -> Double {
        let numbers = "\(batch.count) \(batch.limit) \(batch.byteCount) \(repeats)"
        return try seconds(for: "get \(peer.rawValue) \(batch.address) \(numbers)")
    }

    private func seconds(for question: String) throws(BenchmarkError) -> Double {
        let text = try answer(to: question)
        guard let seconds = Double(text) else { throw BenchmarkError("peers.py returned '\(text)' instead of seconds") }
        return seconds
    }

    private func answer(to question: String) throws(BenchmarkError) -> String {
        guard let text = Self.line(from: process, after: question) else {
            throw BenchmarkError("peers.py ended unexpectedly")
        }
        guard !text.hasPrefix("error: ") else { throw BenchmarkError("peers.py: \(text)") }
        return text
    }

    private static func line(from process: OpaquePointer, after question: String?) -> String? {
        guard let line = benchmark_worker_ask(process, question) else { return nil }
        return String(cString: line)
    }
}
