#if COLOR
import Foundation
import HostileStructures
import Testing

extension Fixture {
    /// Returns a profile with an additional tag. The existing tags move by the size of the new list entry.
    static func profile(_ file: String, adding name: StaticString, _ body: [UInt8]) throws -> Data {
        let profile = [UInt8](try data(file))
        let count = number(in: profile, at: 128)
        let listEnd = 132 + 12 * count
        let bodies = Array(profile[listEnd...]) + Array(repeating: 0, count: -profile.count & 3)
        var bytes = HostileBytes()
        bytes.append(listEnd + 12 + bodies.count + body.count, byteCount: 4)
        bytes.append(Array(profile[4..<128]))
        bytes.append(count + 1, byteCount: 4)
        for index in 0..<count {
            let place = 132 + 12 * index
            bytes.append(Array(profile[place..<place + 4]))
            bytes.append(number(in: profile, at: place + 4) + 12, byteCount: 4)
            bytes.append(number(in: profile, at: place + 8), byteCount: 4)
        }
        bytes.append(name)
        bytes.append(listEnd + 12 + bodies.count, byteCount: 4)
        bytes.append(body.count, byteCount: 4)
        bytes.append(bodies)
        bytes.append(body)
        return Data(bytes.bytes)
    }

    /// Returns a profile in which a tag starts at another one, or `distance` bytes behind its start, with its original
    /// size.
    static func profile(_ data: Data, moving name: String, onto other: String, by distance: Int) throws -> Data {
        var bytes = HostileBytes()
        let profile = [UInt8](data)
        bytes.append(profile)
        func entry(_ name: String) throws -> Int {
            let places = (0..<number(in: profile, at: 128)).map { 132 + 12 * $0 }
            return try #require(places.first { profile[$0..<$0 + 4].elementsEqual(name.utf8) })
        }
        let target = try entry(other)
        var place = HostileBytes()
        place.append(number(in: profile, at: target + 4) + distance, byteCount: 4)
        bytes.replace(at: try entry(name) + 4, with: place.bytes)
        return Data(bytes.bytes)
    }

    /// Returns the offset of a tag in a profile.
    static func place(of name: String, in data: Data) throws -> Int {
        let profile = [UInt8](data)
        let places = (0..<number(in: profile, at: 128)).map { 132 + 12 * $0 }
        let entry = try #require(places.first { profile[$0..<$0 + 4].elementsEqual(name.utf8) })
        return number(in: profile, at: entry + 4)
    }

    private static func number(in bytes: [UInt8], at start: Int) -> Int {
        bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
#endif
