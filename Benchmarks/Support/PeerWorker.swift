import BenchmarkFloors
import CalotypeStandard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// peers.py in a process of its own. Speaks in lines, which are documented there.
final class PeerWorker {
    /// The versions of the peers that it has, by name.
    let versions: [String: String]
    private let process: OpaquePointer

    private init(process: OpaquePointer, versions: [String: String]) {
        self.process = process
        self.versions = versions
    }

    deinit { benchmark_worker_end(process) }

    /// Starts it, with so many threads for libvips, and waits until it has loaded its libraries.
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
            throw BenchmarkError("\(python) does not run peers.py")
        }
        var versions: [String: String] = [:]
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { versions[String(parts[0])] = String(parts[1]) }
        }
        return PeerWorker(process: process, versions: versions)
    }

    /// Makes the pixels in a file the source from now on.
    func take(_ kind: ResizingKind, _ size: PixelSize, at path: String) throws(BenchmarkError) {
        _ = try answer(to: "picture \(kind.rawValue) \(size.width) \(size.height) \(path)")
    }

    /// Has the source resized once and the pixels written to a file.
    func show(_ peer: Peers.Name, to target: PixelSize, at path: String) throws(BenchmarkError) {
        _ = try answer(to: "show \(peer.rawValue) \(target.width) \(target.height) \(path)")
    }

    /// Has the source resized so often; the seconds that this took.
    func resize(_ peer: Peers.Name, to target: PixelSize, repeats: Int) throws(BenchmarkError) -> Double {
        try seconds(for: "resize \(peer.rawValue) \(target.width) \(target.height) \(repeats)")
    }

    /// Makes the JPEG or PNG in a file the source from now on.
    func take(fileAt path: String) throws(BenchmarkError) {
        _ = try answer(to: "file \(path)")
    }

    /// Has a thumbnail's RGB pixels written to a file, as they are before they are encoded.
    func look(_ peer: Peers.Name, at size: PixelSize, writingTo path: String) throws(BenchmarkError) {
        _ = try answer(to: "look \(peer.rawValue) \(size.width) \(size.height) \(path)")
    }

    /// Has a JPEG thumbnail made so often, of a quality of 1...100; the seconds that this took.
    func thumbnail(
        _ peer: Peers.Name, _ size: PixelSize, quality: Int, repeats: Int
    ) throws(BenchmarkError) -> Double {
        try seconds(for: "thumbnail \(peer.rawValue) \(size.width) \(size.height) \(quality) \(repeats)")
    }

    /// Has one frame of the animation in the source composed, and its RGBA pixels written to a file.
    func show(_ peer: Peers.Name, frame: Int, at path: String) throws(BenchmarkError) {
        _ = try answer(to: "frame \(peer.rawValue) \(frame) \(path)")
    }

    /// Has all frames of the animation in the source composed so often; the seconds that this took.
    func play(_ peer: Peers.Name, repeats: Int) throws(BenchmarkError) -> Double {
        try seconds(for: "play \(peer.rawValue) \(repeats)")
    }

    /// Has the source written as a GIF of so many colors to a file.
    func quantize(
        _ peer: Peers.Name, colors: Int, isDithered: Bool, writingTo path: String
    ) throws(BenchmarkError) {
        _ = try answer(to: "gif \(peer.rawValue) \(colors) \(isDithered ? "dithered" : "plain") \(path)")
    }

    /// Has the source made a GIF of so many colors so often, without dithering; the seconds that this took.
    func quantize(_ peer: Peers.Name, colors: Int, repeats: Int) throws(BenchmarkError) -> Double {
        try seconds(for: "quantize \(peer.rawValue) \(colors) \(repeats)")
    }

    /// Has all files got so often; the seconds that this took.
    func get(_ batch: FileBatch, with peer: Peers.Name, repeats: Int) throws(BenchmarkError) -> Double {
        let numbers = "\(batch.count) \(batch.limit) \(batch.byteCount) \(repeats)"
        return try seconds(for: "get \(peer.rawValue) \(batch.address) \(numbers)")
    }

    private func seconds(for question: String) throws(BenchmarkError) -> Double {
        let text = try answer(to: question)
        guard let seconds = Double(text) else { throw BenchmarkError("peers.py answered \(text)") }
        return seconds
    }

    private func answer(to question: String) throws(BenchmarkError) -> String {
        guard let text = Self.line(from: process, after: question) else { throw BenchmarkError("peers.py has ended") }
        guard !text.hasPrefix("error: ") else { throw BenchmarkError("peers.py: \(text)") }
        return text
    }

    private static func line(from process: OpaquePointer, after question: String?) -> String? {
        guard let line = benchmark_worker_ask(process, question) else { return nil }
        return String(cString: line)
    }
}
