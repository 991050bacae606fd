import Testing

@testable import Calotype

@Suite(.timeLimit(.minutes(5)))
struct ImageErrorTests {
    private struct Cause: Error, CustomStringConvertible {
        var description: String { "the disk is on fire" }
    }

    private let full = ImageError(
        .loadFailed, stage: .load, component: "FileImageLoader", subject: "a.png", message: "cannot be read",
        advice: "call somebody", cause: Cause())

    @Test func `an error reads as its subject, what happened, why, and what to do`() {
        #expect(full.description == "a.png: cannot be read (the disk is on fire); call somebody")
        #expect("\(full)" == full.description)
    }

    @Test func `missing parts of an error are left out of its text`() {
        var error = full
        error.subject = nil
        #expect(error.description == "cannot be read (the disk is on fire); call somebody")
        error.cause = nil
        #expect(error.description == "cannot be read; call somebody")
        error.advice = nil
        #expect(error.description == "cannot be read")
        error.subject = "a.png"
        #expect(error.description == "a.png: cannot be read")
    }

    @Test func `about adds a subject only if there is none`() {
        let bare = ImageError(.badData, stage: .decode, message: "ends too early")
        #expect(bare.about("b.png").description == "b.png: ends too early")
        #expect(full.about("b.png").subject == "a.png")
    }

    @Test func `an error of a plugin becomes the cause`() {
        let error = ImageError.wrapping(
            Cause(), as: .badData, stage: .decode, component: "QOICoder", message: "could not be decoded")
        #expect(error.code == .badData)
        #expect(error.stage == .decode)
        #expect(error.component == "QOICoder")
        #expect(error.cause is Cause)
        #expect(error.description == "could not be decoded (the disk is on fire)")
    }

    @Test func `an ImageError is kept, and gets the component if it has none`() {
        let known = ImageError.wrapping(full, as: .badData, stage: .decode, component: "Other", message: "failed")
        #expect(known.code == .loadFailed)
        #expect(known.stage == .load)
        #expect(known.component == "FileImageLoader")
        #expect(known.message == "cannot be read")
        let bare = ImageError(.badData, stage: .decode, message: "ends too early")
        let told = ImageError.wrapping(bare, as: .loadFailed, stage: .load, component: "Other", message: "failed")
        #expect(told.code == .badData)
        #expect(told.component == "Other")
    }

    @Test func `a CancellationError becomes a cancelled ImageError`() {
        let error = ImageError.wrapping(CancellationError(), as: .loadFailed, stage: .query, message: "failed")
        #expect(error.code == .cancelled)
        #expect(error.stage == .query)
        #expect(error.description == "the request was cancelled")
    }

    @Test func `codes and stages are open, and equal by their names`() {
        #expect(ImageError.Code(rawValue: "notFound") == .notFound)
        #expect(ImageError.Code(rawValue: "outOfPaper") != .outOfMemory)
        #expect(ImageError.Stage(rawValue: "load") == .load)
        #expect(ImageError.Stage(rawValue: "print") != .load)
    }
}
