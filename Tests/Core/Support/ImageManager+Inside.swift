@testable import Calotype

extension ImageManager {
    /// Transfers under way or waiting for their turn.
    var transferCount: Int { pipeline.transfers.count }
    /// Transfers that wait for their turn.
    var waitingLoadCount: Int { pipeline.lanes.loading.waitingCount }
    /// The priority of the transfer whose turn is next.
    var highestWaitingPriority: Priority? { pipeline.lanes.loading.highestWaitingPriority }
    /// Whether nothing at all is under way.
    var isIdle: Bool {
        pipeline.transfers.count + pipeline.originals.count + pipeline.decodes.count + pipeline.transforms.count
            + pipeline.reads.count + pipeline.entries.count == 0
    }
}
