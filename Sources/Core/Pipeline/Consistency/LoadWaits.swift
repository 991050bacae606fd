/// The loads that wait for other loads, because their loaders load images through the manager. Thread-safe.
final class LoadWaits: Sendable {
    /// A record that one load waits for another. Releasing the object removes the record.
    final class Wait: Sendable {
        private let waits: LoadWaits
        private let waiter: TransferID
        private let other: TransferID

        fileprivate init(_ waits: LoadWaits, _ waiter: TransferID, for other: TransferID) {
            self.waits = waits
            self.waiter = waiter
            self.other = other
        }

        deinit { waits.end(waiter, for: other) }
    }

    /// The loads that each waiting load waits for, with the number of waits for each.
    private let counts = Lock<[TransferID: [TransferID: Int]]>([:])

    /// Records that a load waits for another one, until the returned object is released. Returns nil if both are the
    /// same load, or if the other load already waits for the first, because such a wait would never end.
    func begin(_ waiter: TransferID, for other: TransferID) -> Wait? {
        counts.withLock { counts -> Wait? in
            var reached: Set<TransferID> = []
            var next = [other]
            while let load = next.popLast() {
                guard load != waiter else { return nil }
                if reached.insert(load).inserted, let others = counts[load]?.keys { next += others }
            }
            counts[waiter, default: [:]][other, default: 0] += 1
            return Wait(self, waiter, for: other)
        }
    }

    private func end(_ waiter: TransferID, for other: TransferID) {
        counts.withLock { counts in
            guard let count = counts[waiter]?[other] else { return }
            counts[waiter]?[other] = count > 1 ? count - 1 : nil
            if counts[waiter]?.isEmpty == true { counts[waiter] = nil }
        }
    }
}
