/// What work tells those who wait for it before it is done.
enum WorkReport: Sendable {
    case progress(LoadProgress)
}
