/// The name and the parameters of a transformer. They write its key, and read the transformer back from text.
///
/// The text is the name, with the arguments in parentheses: `resize(320x240,fill,linear=true)`. Unlabeled arguments
/// come first, in the order of the parameters. Arguments that contain commas, parentheses, bars, quotation marks or
/// equals signs are put in quotation marks, in which `\"` and `\\` stand for `"` and `\`. The texts of several
/// transformers are joined by `|`.
public struct TransformerRecipe<Subject: RecipeTransformer>: Sendable {
    /// The name, in lower camel case.
    public let name: String
    /// A description of the transformer in one sentence.
    public let summary: String
    /// The parameters, in the order of their arguments.
    public let parameters: [TransformerParameter<Subject>]
    private let defaults: Subject

    /// Creates a recipe.
    ///
    /// Names consist of ASCII letters and digits, and begin with a letter. Required parameters come first, and labeled
    /// ones last. Anything else is a programming error and traps.
    /// - Parameters:
    ///   - name: The name, in lower camel case, which no other transformer has. `custom` is reserved.
    ///   - defaults: A transformer with the defaults of the optional parameters. Its other values are not used.
    ///   - summary: A description of the transformer in one sentence.
    ///   - parameters: All parameters that the result depends on.
    public init(
        _ name: String, defaults: Subject, summary: String, parameters: [TransformerParameter<Subject>]
    ) {
        let ranks = parameters.map { ($0.isRequired ? 0 : 1) + ($0.isLabeled ? 1 : 0) }
        precondition(ranks == ranks.sorted(), "the parameters of \(name) are out of order")
        let names = parameters.map(\.name)
        precondition(Set(names).count == names.count, "two parameters of \(name) have the same name")
        precondition(
            name != CustomTransformer.reservedName && ([name] + names).allSatisfy(RecipeParser.isName),
            "\(name) or one of its parameters has a name that recipes cannot contain")
        self.name = name
        self.summary = summary
        self.defaults = defaults
        self.parameters = parameters.map { parameter in
            var parameter = parameter
            if !parameter.isRequired { parameter.defaultText = parameter.text(defaults) }
            return parameter
        }
    }

    /// The form of the text, for messages. Arguments in brackets may be omitted.
    public var syntax: String {
        var arguments = ""
        for parameter in parameters {
            let argument = parameter.isLabeled ? "\(parameter.name)=..." : parameter.name
            let separated = arguments.isEmpty ? argument : ",\(argument)"
            arguments += parameter.isRequired ? separated : "[\(separated)]"
        }
        return "\(name)(\(arguments))"
    }

    /// Returns the canonical text of a transformer. It contains every unlabeled argument, and the labeled ones that
    /// differ from their defaults.
    func key(of subject: Subject) -> String {
        var arguments: [String] = []
        for parameter in parameters {
            let text = parameter.text(subject)
            if !parameter.isLabeled {
                arguments.append(text.asRecipeArgument)
            } else if !text.utf8.elementsEqual(parameter.defaultText?.utf8 ?? "".utf8) {
                arguments.append("\(parameter.name)=\(text.asRecipeArgument)")
            }
        }
        return "\(name)(\(arguments.joined(separator: ",")))"
    }

    /// Throws if a value that was set in code is invalid.
    func check(_ subject: Subject) throws(ImageError) {
        for parameter in parameters where !parameter.isValid(subject) {
            throw ImageError(
                .transformFailed, stage: .transform, component: name,
                message: parameter.requirement + Self.contrast(parameter.text(subject)),
                advice: "change \(parameter.name)")
        }
    }

    /// Returns the part of a message that repeats an invalid value; empty if it can be a part of a URL with
    /// credentials.
    private static func contrast(_ text: String) -> String {
        Subject.self is any ComposingTransformer.Type ? "" : ", not '\(text.prefix(60))'"
    }

    /// Returns the transformer that a call in a recipe describes.
    func transformer(for call: RecipeCall) throws(ImageError) -> Subject {
        var subject = defaults
        var isGiven = [Bool](repeating: false, count: parameters.count)
        for (place, argument) in call.arguments.enumerated() {
            let index = try index(of: argument, at: place, in: call)
            let parameter = parameters[index]
            guard !isGiven[index] else {
                throw error("\(parameter.name) is given twice", at: argument.position)
            }
            guard parameter.set(&subject, argument.value) else {
                throw error(parameter.requirement + Self.contrast(argument.value), at: argument.valuePosition)
            }
            isGiven[index] = true
        }
        for (parameter, isGiven) in zip(parameters, isGiven) where parameter.isRequired && !isGiven {
            throw error("\(parameter.name) is missing", at: call.end)
        }
        return subject
    }

    /// Returns the index of the parameter that an argument is for.
    private func index(
        of argument: RecipeCall.Argument, at place: Int, in call: RecipeCall
    ) throws(ImageError) -> Int {
        if let label = argument.label {
            if let index = parameters.firstIndex(where: { $0.name == label }) { return index }
            throw error("there is no parameter '\(label.prefix(60))'", at: argument.position)
        }
        guard call.arguments[..<place].allSatisfy({ $0.label == nil }) else {
            throw error("an unlabeled argument must come before labeled ones", at: argument.position)
        }
        guard place < parameters.count, !parameters[place].isLabeled else {
            let hint = parameters.contains(where: \.isLabeled) ? "; further arguments need a label" : ""
            throw error("there are too many unlabeled arguments\(hint)", at: argument.position)
        }
        return place
    }

    private func error(_ problem: String, at position: Int) -> ImageError {
        .invalidRecipe(problem, at: position, component: name, advice: "write \(syntax)")
    }
}
