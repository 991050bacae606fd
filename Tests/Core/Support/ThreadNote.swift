import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A thread, as tests tell it from others.
struct ThreadNote: Hashable, Sendable {
    /// What no other thread has while this one lives.
    let id: String
    /// As the system shows it, fifteen characters at most: a lane's threads bear its name.
    let name: String

    /// The one that asks.
    static var current: ThreadNote { ThreadNote(id: currentID, name: currentName) }

    /// What it is known by.
    static var currentID: String { "\(pthread_self())" }

    private static var currentName: String {
        #if os(Linux)
        let text = try? String(contentsOf: URL(filePath: "/proc/thread-self/comm"), encoding: .utf8)
        return String((text ?? "").prefix { $0 != "\n" })
        #else
        var characters = [CChar](repeating: 0, count: 64)
        pthread_getname_np(pthread_self(), &characters, characters.count)
        return String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #endif
    }
}
