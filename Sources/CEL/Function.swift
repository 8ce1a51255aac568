/// A named function with its overloads, as a host registers it.
package struct Function: Sendable {
    package var name: String
    package var overloads: [Overload]
    /// What it does, in one line, for the reference and for completion.
    package var documentation: String

    package init(_ name: String, _ overloads: [Overload], documentation: String = "") {
        self.name = name
        self.overloads = overloads
        self.documentation = documentation
    }
}

/// One signature of a function.
package struct Overload: Sendable {
    /// Gets the arguments (the receiver first) and the activation. No argument is an error: those propagate before the
    /// call. What it returns may be `.error`.
    package typealias Body = @Sendable (_ arguments: [Value], _ activation: Activation) -> Value

    package var parameters: [Type]
    package var result: Type
    /// Called as `receiver.name(…)`; the receiver's type is the first parameter.
    package var isMember: Bool
    /// Variables that the body reads from the activation, so that `Program.references` can list them.
    package var reads: [String]
    package var body: Body

    package init(
        _ parameters: [Type], returns result: Type, isMember: Bool = false, reads: [String] = [], body: @escaping Body
    ) {
        self.parameters = parameters
        self.result = result
        self.isMember = isMember
        self.reads = reads
        self.body = body
    }
}
