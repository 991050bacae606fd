/// Where a loader puts the bytes.
public protocol ByteSink: Sendable {
    /// Takes what is known before the first byte. Throws when the image is refused, for example for its size.
    func begin(_ head: LoadHead) async throws
    /// Takes the next bytes; returns when there is room for more. Throws when nobody wants the rest.
    func write(_ chunk: Data) async throws
    /// Takes what is known of the transfer itself, when it is over, however it ended. The last one counts. Default:
    /// nothing is done with it.
    func record(_ metrics: TransferMetrics)
}

extension ByteSink {
    public func record(_ metrics: TransferMetrics) {}
}
