#if HTTP
@testable import CalotypeHTTP

extension HeaderLines {
    /// Creates header lines from texts with line ends.
    init(_ texts: [String]) {
        self.init()
        for text in texts {
            text.utf8.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { append($0) }
        }
    }
}
#endif
