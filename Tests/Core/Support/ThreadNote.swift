import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The identity of a thread.
struct ThreadNote: Hashable, Sendable {
    /// The ID, which is unique while the thread lives.
    let id: String
    /// The name in the system, at most fifteen characters. A lane's threads have its name.
    let name: String

    /// The current thread.
    static var current: ThreadNote { ThreadNote(id: currentID, name: currentName) }

    /// The ID of the current thread.
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
