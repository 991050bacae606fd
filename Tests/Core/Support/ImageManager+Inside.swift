@testable import Calotype

extension ImageManager {
    /// The number of transfers that are in progress or wait for a slot.
    var transferCount: Int { pipeline.transfers.count }
    /// The number of transfers that wait for a slot.
    var waitingLoadCount: Int { pipeline.lanes.loading.waitingCount }
    /// The priority of the next waiting transfer.
    var highestWaitingPriority: Priority? { pipeline.lanes.loading.highestWaitingPriority }
    /// Whether no work is in progress.
    var isIdle: Bool {
        pipeline.transfers.count + pipeline.originals.count + pipeline.decodes.count + pipeline.transforms.count
            + pipeline.reads.count + pipeline.entries.count == 0
    }
}
