extension ContextKey where Value == Priority {
    /// The priority with which the request starts.
    public static let priority = ContextKey(
        "priority", default: .normal, summary: "The priority of the request when it starts.")
}

extension ContextSetting {
    /// Sets the priority with which the request starts. Default: normal.
    public static func priority(_ priority: Priority) -> ContextSetting { .set(.priority, to: priority) }
}

extension ContextDeclaration {
    /// The declaration of the context key for the priority.
    static let priority: [ContextDeclaration] = [ContextKey.priority.declaration]
}
