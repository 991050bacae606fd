/// The name of a component's type, for messages.
func typeName(of component: Any) -> String { String(describing: type(of: component)) }
