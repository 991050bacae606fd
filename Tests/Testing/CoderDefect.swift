import CalotypeTesting

/// A defect of a coder.
enum CoderDefect: String, CaseIterable, Sendable {
    case claimsForeignBytes
    case throwsForForeignBytes
    case wrongSize
    case hiddenAlpha
    case infoChangesByDecoding
    case ignoresDepth
    case unwrittenRowEnd
    case rowsFromTheBottom
    case lastRowMissing
    case beginsTwice
    case planesChange
    case swallowsRefusal
    case goesOnAfterRefusal
    case dropsLongProfile
    case dropsLongMetadata
    case wrapsErrorsOfTheSink
    case ignoresCancelling
    case encoderIgnoresCancelling
    case encoderWrapsTimeouts
    case planesIgnoreCancelling
    case halfPictureOfCutOffFile
    case errorOfItsOwnWhenCutOff
    case shorterAnimationOfCutOffFile
    case silentlyLacksFrames
    case inventsRowsBeforeError
    case readsAllAtOnce
    case otherPictureInTheEnd
    case forgetsInfo
    case halfPictureInTheEnd
    case forgetsDamage
    case thumbnailTooSmall
    case swappedPlanes
    case frameDependsOnThoseBefore
    case anyFrame
    case frameOutside
    case losesBits
    case losesAlpha
    case losesDepth
    case losesProfile
    case writesCounter
    case losesOrientation
    case losesLoopCount
    case losesFrames
    case stateInCoder

    /// The check that must find it.
    var check: CoderCheck {
        switch self {
        case .claimsForeignBytes, .throwsForForeignBytes: .sniffing
        case .wrongSize, .hiddenAlpha, .infoChangesByDecoding, .ignoresDepth: .info
        case .unwrittenRowEnd, .rowsFromTheBottom, .lastRowMissing, .beginsTwice, .planesChange: .rows
        case .swallowsRefusal, .goesOnAfterRefusal, .dropsLongProfile, .dropsLongMetadata: .limits
        case .wrapsErrorsOfTheSink, .ignoresCancelling, .encoderIgnoresCancelling, .encoderWrapsTimeouts,
            .planesIgnoreCancelling:
            .cancelling
        case .halfPictureOfCutOffFile, .errorOfItsOwnWhenCutOff, .shorterAnimationOfCutOffFile, .silentlyLacksFrames,
            .inventsRowsBeforeError:
            .truncation
        case .readsAllAtOnce: .pieces
        case .otherPictureInTheEnd, .forgetsInfo, .halfPictureInTheEnd, .forgetsDamage: .progressive
        case .thumbnailTooSmall, .swappedPlanes: .thumbnails
        case .frameDependsOnThoseBefore, .anyFrame, .frameOutside: .frames
        case .losesBits, .losesAlpha, .losesDepth, .losesProfile, .writesCounter, .losesOrientation, .losesLoopCount,
            .losesFrames:
            .roundTrip
        case .stateInCoder: .threadSafety
        }
    }

    /// A part of the first finding's text.
    var finding: String {
        switch self {
        case .claimsForeignBytes: "nil for bytes of another format, but it threw"
        case .throwsForForeignBytes: "but it threw 'is no file of mine'"
        case .wrongSize: "rows of the size in `info`, 21x12"
        case .hiddenAlpha: "full alpha, as in `info`"
        case .infoChangesByDecoding: "it differs after a decode"
        case .ignoresDepth: "`.nativeDepth` gives rgba8"
        case .unwrittenRowEnd: "the same pixels regardless of previous memory contents"
        case .rowsFromTheBottom: "it passed row 11 of 12 after 0 rows"
        case .lastRowMissing: "12 rows, as announced, but 11 were passed"
        case .beginsTwice: "it called `begin` twice"
        case .planesChange: "the same planes twice"
        case .swallowsRefusal: "the error of `begin` to be rethrown"
        case .goesOnAfterRefusal: "continued with row 0 after its sink had thrown"
        case .dropsLongProfile: "a profile of 40 bytes where one less is allowed"
        case .dropsLongMetadata: "metadata of 30 bytes where one less is allowed"
        case .wrapsErrorsOfTheSink: "a job that is cancelled at row 0"
        case .ignoresCancelling: "continued with row 1 after its sink had thrown"
        case .encoderIgnoresCancelling: "an encoder of faulty whose job was cancelled, but it wrote a file"
        case .encoderWrapsTimeouts: "an encoder of faulty whose job times out halfway"
        case .planesIgnoreCancelling: "continued with plane 0 after its sink had thrown"
        case .halfPictureOfCutOffFile: "but there is no error, and the pixels differ in row 0"
        case .errorOfItsOwnWhenCutOff: "but it threw 'lost its way'"
        case .shorterAnimationOfCutOffFile: "the `info` of the whole file of the first 29 of 1454 bytes"
        case .silentlyLacksFrames: "the `info` of the whole file of the first 30 of 1454 bytes"
        case .inventsRowsBeforeError: "correct rows before an error"
        case .readsAllAtOnce: "it read 986 bytes at once"
        case .otherPictureInTheEnd: "after 986 of 986 bytes at once, but they differ in row 0"
        case .forgetsInfo: "it is no longer available"
        case .halfPictureInTheEnd: "an error or all pixels of a file that ends after 123 of 986 bytes"
        case .forgetsDamage: "the same error from then on for a file damaged at byte 123"
        case .thumbnailTooSmall: "the decoder returns 10x6"
        case .swappedPlanes: "with the colors of the whole picture"
        case .frameDependsOnThoseBefore: "when frames are requested twice"
        case .anyFrame: "`noSuchFrame` for frame 1 of 1"
        case .frameOutside: "at column 16 of row 0"
        case .losesBits: "which is declared lossless"
        case .losesAlpha: "the alpha of the sample to be kept by faulty"
        case .losesDepth: "rgba16 of the sample to be kept by faulty"
        case .losesProfile: "the profile of the sample to be kept by faulty"
        case .writesCounter: "the same bytes for the same image"
        case .losesOrientation: "12x20 from an image of 20x12"
        case .losesLoopCount: "a loop count of 3 from faulty"
        case .losesFrames: "3 frames from faulty"
        case .stateInCoder: "while other threads decode"
        }
    }
}
