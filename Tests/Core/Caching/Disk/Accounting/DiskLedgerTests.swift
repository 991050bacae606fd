import CalotypeTesting
import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct DiskLedgerTests {
    private let ledger: DiskLedger = {
        var ledger = DiskLedger()
        for shard in 0..<256 { ledger.shards[shard] = DiskUsage(byteCount: shard * 1000, count: shard) }
        ledger.hits = 3
        ledger.misses = 4
        return ledger
    }()

    @Test func `the bytes of the file follow the format`() {
        let data = ledger.data
        #expect(data.count == 4124)
        #expect(data.prefix(8) == Data("caloled1".utf8))
        #expect(Array(data[8..<16]) == [3, 0, 0, 0, 0, 0, 0, 0])
        #expect(Array(data[16..<24]) == [4, 0, 0, 0, 0, 0, 0, 0])
        // Shard 255: 255,000 bytes, 255 entries.
        #expect(Array(data[4104..<4120]) == [0x18, 0xe4, 3, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0])
        // The CRC-32C is from another implementation, bitwise in Python.
        #expect(Array(data.suffix(4)) == [0x24, 0xd7, 0x70, 0x24])
    }

    @Test func `a ledger survives a round trip`() {
        #expect(DiskLedger(ledger.data) == ledger)
        #expect(DiskLedger(DiskLedger().data) == DiskLedger())
        #expect(ledger.total == DiskUsage(byteCount: 32_640_000, count: 32_640))
    }

    @Test func `no damaged ledger passes`() {
        let whole = ledger.data
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 0x10
            #expect(DiskLedger(damaged) == nil)
        }
        #expect(DiskLedger(Data()) == nil)
        #expect(DiskLedger(whole.dropLast()) == nil)
        #expect(DiskLedger(whole + Data([0])) == nil)
    }

    @Test func `hostile numbers are limited so that sums do not overflow`() throws {
        var hostile = ledger.data
        for index in 8..<hostile.count - 4 { hostile[index] = 0xff }
        let checksum = DiskEntryFormat.checksum(of: Data(hostile.dropLast(4)))
        for index in 0..<4 { hostile[4120 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(index))) }
        let found = try #require(DiskLedger(hostile))
        #expect(found.total.byteCount > 0)
        #expect(found.total.count > 0)
        #expect(found.adding(found).total.byteCount >= found.total.byteCount)
    }

    @Test func `changes are added, and no count becomes negative`() {
        var changes = DiskLedger()
        changes.shards[0] = DiskUsage(byteCount: -5, count: -1)
        changes.shards[2] = DiskUsage(byteCount: 10, count: 1)
        changes.hits = 2
        let sum = ledger.adding(changes)
        #expect(sum.shards[0] == DiskUsage())
        #expect(sum.shards[2] == DiskUsage(byteCount: 2010, count: 3))
        #expect(sum.shards[3] == ledger.shards[3])
        #expect(sum.hits == 5)
        #expect(sum.misses == 4)
    }

    @Test func `adopting a ledger from disk keeps the changes made here`() {
        var accounts = DiskAccounts()
        accounts.adopt(ledger)
        accounts.add(DiskUsage(byteCount: 7, count: 1), to: 9)
        var told = ledger
        told.shards[9] += DiskUsage(byteCount: 100, count: 2)
        accounts.adopt(told)
        #expect(accounts.ledger?.shards[9] == DiskUsage(byteCount: 9107, count: 12))

        let taken = accounts.takeChanges()
        #expect(taken.ledger.shards[9] == DiskUsage(byteCount: 9107, count: 12))
        accounts.returnChanges(taken.changes)
        accounts.adopt(told)
        #expect(accounts.ledger?.shards[9] == DiskUsage(byteCount: 9107, count: 12))
        _ = accounts.takeChanges()
        accounts.adopt(told)
        #expect(accounts.ledger?.shards[9] == DiskUsage(byteCount: 9100, count: 11))
    }

    @Test func `a scan that overlaps changes corrects nothing, and the last change repeats it`() {
        let (none, one) = (DiskUsage(), DiskUsage(byteCount: 7, count: 1))
        var accounts = DiskAccounts()
        accounts.adopt(DiskLedger())

        // Two changes are in progress. The scan sees the entry that the first one has stored but not yet counted.
        accounts.beginChange(in: 9)
        accounts.beginChange(in: 9)
        let early = accounts.beginLook(at: 9)
        #expect(early == nil)
        let isLeftToChanges = accounts.endLook(at: 9, since: early, found: one)
        #expect(isLeftToChanges)
        #expect(accounts.ledger?.shards[9] == none)
        accounts.add(one, to: 9)
        let repeats = [accounts.endChange(in: 9), accounts.endChange(in: 9)]
        #expect(repeats == [nil, .zero])

        // A change begins and ends during the scan, which still sees the removed entry.
        let spoiled = accounts.beginLook(at: 9)
        #expect(spoiled != nil)
        accounts.beginChange(in: 9)
        accounts.add(none - one, to: 9)
        let repeatedByChange = accounts.endChange(in: 9)
        #expect(repeatedByChange == nil)
        let isSpoiledOver = accounts.endLook(at: 9, since: spoiled, found: one)
        #expect(!isSpoiledOver)
        #expect(accounts.ledger?.shards[9] == none)

        // Only another shard changes.
        let quiet = accounts.beginLook(at: 9)
        accounts.beginChange(in: 8)
        let isOver = accounts.endLook(at: 9, since: quiet, found: one)
        #expect(isOver)
        #expect(accounts.total == one)
        let repeated = accounts.endChange(in: 8)
        #expect(repeated == nil)
    }

    @Test func `a scan spoiled by changes is repeated at most once a second`() {
        var accounts = DiskAccounts()
        accounts.adopt(DiskLedger())
        /// Runs a scan that overlaps a change. Returns the time of the repeat that the change requests.
        func spoilLook() -> Duration? {
            let moment = accounts.beginLook(at: 9)
            accounts.beginChange(in: 9)
            _ = accounts.endLook(at: 9, since: moment, found: DiskUsage())
            return accounts.endChange(in: 9)
        }
        let first = spoilLook()
        #expect(first == .zero)
        let second = spoilLook()
        #expect(second == nil, "a second look is already scheduled")
        let begins = accounts.beginRepeat(at: 9, now: .seconds(5))
        #expect(begins)
        let third = spoilLook()
        #expect(third == .seconds(6))
        #expect(accounts.spoiledShards == [9])
        // Another scan succeeds in the meantime.
        let moment = accounts.beginLook(at: 9)
        let isOver = accounts.endLook(at: 9, since: moment, found: DiskUsage())
        #expect(isOver)
        #expect(accounts.spoiledShards.isEmpty)
        let beginsInVain = accounts.beginRepeat(at: 9, now: .seconds(6))
        #expect(!beginsInVain)
    }
}
