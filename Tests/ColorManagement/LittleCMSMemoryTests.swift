#if COLOR
import Calotype
import Foundation
import Testing

@testable import CalotypeColor

/// Allocation failures at every possible call.
@Suite(.timeLimit(.minutes(5)))
struct LittleCMSMemoryTests {
    /// An allocator that records its calls, and fails from a given call on.
    private final class FaultyAllocator: Sendable {
        private let firstFailingCall: Int
        private let calls = Lock<[Int]>([])

        init(firstFailingCall: Int = .max) {
            self.firstFailingCall = firstFailingCall
        }

        /// The size of each call.
        var byteCounts: [Int] { calls.withLock { $0 } }

        func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
            let call = calls.withLock { calls -> Int in
                calls.append(byteCount)
                return calls.count - 1
            }
            return call < firstFailingCall ? malloc(byteCount) : nil
        }
    }

    static let profiles = Fixture.profiles.filter { profile in
        ["p3", "rgb-tables", "gray-dots", "cmyk"].contains(profile.name)
    }

    /// Creates a row converter and releases it. Returns its error; nil on success.
    private func failure(of conversion: ColorConversion, _ memory: LittleCMSMemory) -> ImageError? {
        let rows: (any KeptRowConverter)?
        do throws(ImageError) {
            rows = try LittleCMSColorConverter.makeRowConverter(for: conversion, memory: memory)
        } catch {
            return error
        }
        #expect(rows?.converted([UInt8](repeating: 7, count: 64)).count == 64)
        return nil
    }

    @Test(arguments: profiles, PixelFormat.allCases)
    func `a memory ceiling that is too low is an error, wherever it is reached`(
        _ profile: Fixture.Profile, _ format: PixelFormat
    ) throws {
        let conversion = try profile.conversion(format)
        var ceiling = 0
        var errorCount = 0
        while true {
            let memory = LittleCMSMemory(ceiling: ceiling)
            let error = failure(of: conversion, memory)
            #expect(memory.byteCount == 0, "with a ceiling of \(ceiling) bytes")
            guard let error else {
                #expect(memory.shortage == nil)
                break
            }
            #expect(error.code == .badData)
            #expect(error.message.hasSuffix("requires more than \(ceiling) bytes of memory"))
            guard case .ceiling(let neededByteCount) = memory.shortage, neededByteCount > ceiling else {
                Issue.record("\(error) with a ceiling of \(ceiling) bytes")
                return
            }
            // The next attempt admits that block, and refuses a larger one.
            ceiling = neededByteCount
            errorCount += 1
        }
        #expect(errorCount > 1)
        #expect(ceiling < LittleCMSMemory.ceiling(forTables: 0))
    }

    @Test(arguments: profiles, PixelFormat.allCases)
    func `a failed allocation is an error, and no memory leaks`(
        _ profile: Fixture.Profile, _ format: PixelFormat
    ) throws {
        let conversion = try profile.conversion(format)
        let allocator = FaultyAllocator()
        let plenty = LittleCMSMemory(ceiling: .max) { allocator.allocate($0) }
        #expect(failure(of: conversion, plenty) == nil)
        let byteCounts = allocator.byteCounts
        let largestSmall = LittleCMSBlocks.headByteCount + LittleCMSMemory.smallByteCount
        // All tables, and every eleventh small block.
        for call in byteCounts.indices where byteCounts[call] > largestSmall || call.isMultiple(of: 11) {
            let place: Comment = "from call \(call) on, \(byteCounts[call]) bytes"
            let allocator = FaultyAllocator(firstFailingCall: call)
            let memory = LittleCMSMemory(ceiling: .max) { allocator.allocate($0) }
            let error = failure(of: conversion, memory)
            #expect(error?.code == .outOfMemory, place)
            #expect(memory.byteCount == 0, place)
            #expect(allocator.byteCounts.count == call + 1, place)
            // No small block was refused. None would be if the conversion took twice as many.
            #expect(memory.reservedByteCount <= LittleCMSReserve.byteCount / 2, place)
            #expect(memory.reservedByteCount > 0 || byteCounts[call] > largestSmall, place)
        }
    }

    @Test func `the reserve provides aligned blocks until it is exhausted`() throws {
        var reserve = LittleCMSReserve()
        defer { reserve.release() }
        let memory = try #require(malloc(LittleCMSReserve.byteCount))
        reserve.fill(with: memory)
        let blocks = [1, LittleCMSReserve.byteCount - 16, 1].map { reserve.take($0) }
        #expect(blocks == [memory, memory + 16, nil])
        #expect(reserve.usedByteCount > LittleCMSReserve.byteCount)
        let contained = [-1, 0, LittleCMSReserve.byteCount - 1, LittleCMSReserve.byteCount].map { offset in
            reserve.contains(UnsafeRawPointer(memory) + offset)
        }
        #expect(contained == [false, true, true, false])
    }

    @Test func `the ceiling grows with the table limit`() {
        #expect(LittleCMSMemory.ceiling(forTables: 0) == 48 << 20)
        #expect(LittleCMSMemory.ceiling(forTables: 16 << 20) == 96 << 20)
        #expect(LittleCMSMemory.ceiling(forTables: .max) == .max)
    }
}
#endif
