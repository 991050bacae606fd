extension IdentityText {
    /// A part of an identity beside the values of the context.
    enum Addition: String, CaseIterable {
        /// The user in the URL.
        case user
        /// The distinction of the registered loader.
        case distinction
        /// The version of the file.
        case version

        static let names = Set(allCases.map(\.rawValue))
    }

    /// Returns the identity with an addition; as it is where there is none.
    func adding(_ addition: Addition, _ text: IdentityText?) -> IdentityText {
        guard let text, !text.isEmpty else { return self }
        return IdentityText(joining: [self, text.named(addition.rawValue)], by: ";")
    }
}
