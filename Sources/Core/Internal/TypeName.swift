/// Returns the name of a component's type, for messages.
func typeName(of component: Any) -> String { typeName(type(of: component)) }

/// Returns the name of a type, as Swift describes it. Names are remembered, because describing a type is slow.
func typeName(_ type: Any.Type) -> String {
    typeNames.withLock { names in
        let id = ObjectIdentifier(type)
        if let known = names[id] { return known }
        let name = String(describing: type)
        names[id] = name
        return name
    }
}

/// The remembered names, by type. Their number is limited by the number of types in the program.
private let typeNames = Lock<[ObjectIdentifier: String]>([:])
