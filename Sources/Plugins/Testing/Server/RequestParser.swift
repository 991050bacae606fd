import Calotype

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A parser for the HTTP requests of a connection. Requests may arrive in pieces, or several at once.
///
/// Source: RFC 9112. Chunked bodies are not supported.
struct RequestParser {
    /// The error for bytes that are not a valid or supported request.
    struct Refusal: Error {
        /// The status of the response to the client.
        let status: Int
    }

    /// The maximum length of a head in bytes.
    static let maxHeadBytes = 64 << 10
    /// The maximum length of a body in bytes.
    static let maxBodyBytes = 1 << 20

    /// The bytes that were received after the end of the last returned request.
    private var buffer: [UInt8] = []
    /// The ranges in ``buffer`` of the head's complete lines, without line ends. Empty lines are omitted.
    private var lines: [Range<Int>] = []
    /// The offset in ``buffer`` of the next line.
    private var lineStart = 0
    /// The offset in ``buffer`` up to which the parser has already searched for the end of the next line.
    private var searched = 0
    /// The offset in ``buffer`` of the body; nil until the whole head has arrived.
    private var bodyStart: Int?

    /// Adds received bytes.
    mutating func append(_ bytes: UnsafeRawBufferPointer) { buffer.append(contentsOf: bytes) }

    /// Returns the next complete request, or nil if more bytes are needed.
    mutating func next(connection: Int) throws(Refusal) -> ScriptedRequest? {
        guard let bodyStart = try findBody() else { return nil }
        let words = buffer[lines[0]].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, !words[1].isEmpty else { throw Refusal(status: 400) }
        let version = text(words[2])
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw Refusal(status: 505) }
        var headers = ScriptedHeaders()
        for line in lines.dropFirst() { try headers.fields.append(field(buffer[line])) }

        let bodyEnd = try bodyStart + bodyCount(headers)
        guard bodyEnd <= buffer.count else { return nil }
        let request = ScriptedRequest(
            method: text(words[0]), target: text(words[1]), version: version, headers: headers,
            body: Data(buffer[bodyStart..<bodyEnd]), connection: connection)
        forget(bodyEnd)
        return request
    }

    /// Returns the offset of the body, or nil if the end of the head has not arrived. Throws if the head is too long.
    private mutating func findBody() throws(Refusal) -> Int? {
        if let bodyStart { return bodyStart }
        while let lineFeed = nextLineFeed() {
            guard lineFeed < Self.maxHeadBytes else { throw Refusal(status: 431) }
            let hasReturn = lineFeed > lineStart && buffer[lineFeed - 1] == UInt8(ascii: "\r")
            let line = lineStart..<(hasReturn ? lineFeed - 1 : lineFeed)
            lineStart = lineFeed + 1
            searched = lineStart
            if !line.isEmpty {
                lines.append(line)
            } else if !lines.isEmpty {
                // Only empty lines before the first line are skipped: RFC 9112, 2.2.
                bodyStart = lineStart
                return lineStart
            }
        }
        searched = buffer.count
        guard buffer.count <= Self.maxHeadBytes else { throw Refusal(status: 431) }
        return nil
    }

    private func nextLineFeed() -> Int? {
        buffer.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Int? in
            guard searched < bytes.count, let start = bytes.baseAddress,
                let found = memchr(start + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
            else { return nil }
            return start.distance(to: UnsafeRawPointer(found))
        }
    }

    private func field(_ line: ArraySlice<UInt8>) throws(Refusal) -> ScriptedHeaders.Field {
        let isBlank = { (byte: UInt8) -> Bool in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            !line[..<colon].contains(where: isBlank),
            !line.contains(where: { $0 < UInt8(ascii: " ") && !isBlank($0) })
        else { throw Refusal(status: 400) }
        var value = line[(colon + 1)...].drop(while: isBlank)
        while let last = value.last, isBlank(last) { value = value.dropLast() }
        return ScriptedHeaders.Field(name: text(line[..<colon]), value: text(value))
    }

    private func bodyCount(_ headers: ScriptedHeaders) throws(Refusal) -> Int {
        guard headers["Transfer-Encoding"] == nil else { throw Refusal(status: 501) }
        guard let length = headers["Content-Length"] else { return 0 }
        guard let count = Int(length), count >= 0 else { throw Refusal(status: 400) }
        guard count <= Self.maxBodyBytes else { throw Refusal(status: 413) }
        return count
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Removes the first `count` bytes, which belong to a returned request, and prepares for the next request.
    private mutating func forget(_ count: Int) {
        buffer.removeFirst(count)
        lines.removeAll(keepingCapacity: true)
        lineStart = 0
        searched = 0
        bodyStart = nil
    }
}
