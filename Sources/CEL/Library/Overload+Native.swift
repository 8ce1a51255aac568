extension Overload {
    typealias Throwing1<A, R> = @Sendable (A) throws(EvaluationError) -> R
    typealias Throwing2<A, B, R> = @Sendable (A, B) throws(EvaluationError) -> R
    typealias Throwing3<A, B, C, R> = @Sendable (A, B, C) throws(EvaluationError) -> R

    /// An overload called as `name(a)`, with the signature of the closure.
    static func global<A: NativeValue, R: NativeValue>(_ body: @escaping Throwing1<A, R>) -> Overload {
        Overload([A.type], returns: R.type) { arguments, _ in
            guard arguments.count == 1, let a = A(arguments[0]) else { return .noSuchOverload(arguments) }
            return capture { () throws(EvaluationError) in try body(a).value }
        }
    }

    static func global<A: NativeValue, B: NativeValue, R: NativeValue>(
        _ body: @escaping Throwing2<A, B, R>
    ) -> Overload {
        Overload([A.type, B.type], returns: R.type) { arguments, _ in
            guard arguments.count == 2, let a = A(arguments[0]), let b = B(arguments[1]) else {
                return .noSuchOverload(arguments)
            }
            return capture { () throws(EvaluationError) in try body(a, b).value }
        }
    }

    static func global<A: NativeValue, B: NativeValue, C: NativeValue, R: NativeValue>(
        _ body: @escaping Throwing3<A, B, C, R>
    ) -> Overload {
        Overload([A.type, B.type, C.type], returns: R.type) { arguments, _ in
            guard arguments.count == 3, let a = A(arguments[0]), let b = B(arguments[1]), let c = C(arguments[2])
            else { return .noSuchOverload(arguments) }
            return capture { () throws(EvaluationError) in try body(a, b, c).value }
        }
    }

    /// An overload called as `a.name()`.
    static func member<A: NativeValue, R: NativeValue>(_ body: @escaping Throwing1<A, R>) -> Overload {
        global(body).asMember
    }

    static func member<A: NativeValue, B: NativeValue, R: NativeValue>(
        _ body: @escaping Throwing2<A, B, R>
    ) -> Overload {
        global(body).asMember
    }

    static func member<A: NativeValue, B: NativeValue, C: NativeValue, R: NativeValue>(
        _ body: @escaping Throwing3<A, B, C, R>
    ) -> Overload {
        global(body).asMember
    }

    /// An overload over values of any type, whose signature says more than Swift types could.
    static func generic(
        _ parameters: [Type], returns result: Type, isMember: Bool = false,
        _ body: @escaping @Sendable ([Value]) -> Value
    ) -> Overload {
        Overload(parameters, returns: result, isMember: isMember) { arguments, _ in
            arguments.count == parameters.count ? body(arguments) : .noSuchOverload(arguments)
        }
    }

    var asMember: Overload {
        var member = self
        member.isMember = true
        return member
    }
}

extension Value {
    /// The error of a call whose arguments no overload takes.
    static func noSuchOverload(_ arguments: [Value]) -> Value {
        let types = arguments.map(\.typeName).joined(separator: ", ")
        return .error(EvaluationError(.noSuchOverload, "the function does not take (\(types))"))
    }
}

/// The value that `body` makes, or the error that it throws as a value.
func capture(_ body: () throws(EvaluationError) -> Value) -> Value {
    do {
        return try body()
    } catch {
        return .error(error)
    }
}
