/// The name of a component's type, for messages.
func typeName(of component: Any) -> String { typeName(type(of: component)) }

/// The name of a type, as Swift describes it. Remembered: to describe one takes longer than to look up an image.
func typeName(_ type: Any.Type) -> String {
    typeNames.withLock { names in
        let id = ObjectIdentifier(type)
        if let known = names[id] { return known }
        let name = String(describing: type)
        names[id] = name
        return name
    }
}

/// The names by type; a program has a limited number of types.
private let typeNames = Lock<[ObjectIdentifier: String]>([:])
