/// A parsed expression: one node of the tree, with the text it came from.
package final class Expression: Sendable {
    package enum Kind: Sendable {
        /// Null, bool, int, uint, double, string or bytes.
        case literal(Value)
        /// A name, as written: `a`. `isRooted`: written `.a`, which skips the container and names bound inside.
        case identifier(String, isRooted: Bool)
        /// `operand.field`, or `operand.?field`.
        case select(Expression, field: String, isOptional: Bool)
        /// `has(operand.field)`.
        case presence(Expression, field: String)
        /// `operand[index]`, or `operand[?index]`.
        case index(Expression, Expression, isOptional: Bool)
        /// `function(arguments)` or `target.function(arguments)`. Operators are calls too, by the names in `Operator`.
        /// A dot in front of a function (`.f(x)`) stays part of its name.
        case call(function: String, target: Expression?, arguments: [Expression])
        case and([Expression])
        case or([Expression])
        case conditional(Expression, then: Expression, otherwise: Expression)
        /// `[a, ?b]`.
        case list([Element])
        /// `{k: v, ?k: v}`.
        case map([Entry])
        /// `name{field: value}`; no such types exist here beyond declared objects, which cannot be made in expressions.
        case message(name: String, fields: [Field])
        case iteration(Iteration)
        /// `cel.bind(name, value, body)`, and what `optMap` expands to.
        case bind(name: String, value: Expression, body: Expression)
    }

    package struct Element: Sendable {
        package var value: Expression
        package var isOptional: Bool
    }

    package struct Entry: Sendable {
        package var key: Expression
        package var value: Expression
        package var isOptional: Bool
    }

    package struct Field: Sendable {
        package var name: String
        package var value: Expression
        package var isOptional: Bool
    }

    package let kind: Kind
    /// UTF-8 offsets into the source, parentheses around it included. For a macro, of the whole call.
    package let range: Range<Int>
    /// Nodes on the longest way down, this one included: what a recursive walk needs of the stack. The parser bounds it.
    package let depth: Int

    /// - Complexity: O(*n*) in the number of children.
    package init(_ kind: Kind, at range: Range<Int>) {
        self.kind = kind
        self.range = range
        depth = 1 + (kind.children.lazy.map(\.depth).max() ?? 0)
    }
}

extension Expression.Kind {
    /// The nodes directly below, in the order in which they are written.
    package var children: [Expression] {
        switch self {
        case .literal, .identifier: []
        case .select(let operand, _, _), .presence(let operand, _): [operand]
        case .index(let operand, let index, _): [operand, index]
        case .call(_, let target, let arguments): (target.map { [$0] } ?? []) + arguments
        case .and(let operands), .or(let operands): operands
        case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
        case .list(let elements): elements.map(\.value)
        case .map(let entries): entries.flatMap { [$0.key, $0.value] }
        case .message(_, let fields): fields.map(\.value)
        case .iteration(let iteration):
            [iteration.range] + [iteration.predicate, iteration.transform].compactMap(\.self)
        case .bind(_, let value, let body): [value, body]
        }
    }
}

/// A macro that goes through a list or a map. For a list `first` is the element (or, with `second`, the index and the
/// element); for a map the key (and the value).
package struct Iteration: Sendable {
    package enum Macro: String, Sendable {
        case all, exists, existsOne, filter
        /// `map(x, t)` and `map(x, p, t)`.
        case map
        /// Two-variable macros: `transformList`, `transformMap`, `transformMapEntry`, each with or without a filter.
        case transformList, transformMap, transformMapEntry
    }

    package var macro: Macro
    package var range: Expression
    package var first: String
    package var second: String?
    /// What is asked of each element. For `map` and the transforms it may be absent: then every element takes part.
    package var predicate: Expression?
    /// What becomes of an element, for `map` and the transforms.
    package var transform: Expression?
}

/// Names of the operators as functions, from the language definition.
package enum Operator {
    package static let not = "!_"
    package static let negate = "-_"
    package static let add = "_+_"
    package static let subtract = "_-_"
    package static let multiply = "_*_"
    package static let divide = "_/_"
    package static let modulo = "_%_"
    package static let equals = "_==_"
    package static let notEquals = "_!=_"
    package static let less = "_<_"
    package static let lessOrEqual = "_<=_"
    package static let greater = "_>_"
    package static let greaterOrEqual = "_>=_"
    package static let isIn = "@in"
    package static let index = "_[_]"
}
