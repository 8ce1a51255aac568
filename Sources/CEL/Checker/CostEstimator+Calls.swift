// What operators and functions do beyond the one step of a call, and how much their results hold.
extension CostEstimator {
    func work(of node: Checked, _ operands: [Extent]) -> Estimate {
        switch node.kind {
        case .operation(let name, _): operation(name, operands)
        case .call(let name, let overloads, let arguments):
            call(name, arguments, passed(operands, as: arguments, to: overloads), node.type)
        default: Estimate(steps: 0, extent: Extent())
        }
    }

    // MARK: - Operators

    private func operation(_ name: String, _ operands: [Extent]) -> Estimate {
        guard operands.count == 2 else { return Estimate(steps: 0, extent: Extent()) }
        let (a, b) = (operands[0], operands[1])
        switch name {
        case Operator.add:
            let sum = Extent(
                size: a.size.adding(b.size), key: max(a.key, b.key), of: a.element.union(b.element))
            return Estimate(steps: sum.size, extent: sum)
        case Operator.equals, Operator.notEquals:
            return Estimate(steps: comparison(a, b), extent: Extent())
        case Operator.isIn:
            let comparisons = b.size.multiplied(by: comparison(a, b.element).adding(1))
            return Estimate(steps: comparisons.adding(a.size), extent: Extent())
        default:
            return Estimate(steps: min(a.size, b.size), extent: Extent())
        }
    }

    /// Looks at no more than the smaller of two values has, and at one key more.
    private func comparison(_ a: Extent, _ b: Extent) -> Int {
        min(a.whole, b.whole).adding(a.key)
    }

    // MARK: - Functions

    /// Functions that do not look at what is in a list or a map.
    private static let shallow: Set<String> = [
        "size", "type", "dyn", "optional.of", "optional.ofNonZeroValue", "optional.none", "value", "hasValue", "or",
        "orValue",
    ]

    /// A function of numbers and texts is given no list, whatever its argument may be before it is read.
    private func passed(_ operands: [Extent], as arguments: [Checked], to overloads: [Overload]) -> [Extent] {
        operands.indices.map { index in
            let takesAny = overloads.contains { index >= $0.parameters.count || $0.parameters[index].mayHold }
            return takesAny || !arguments[index].type.isUnknown
                ? operands[index] : Extent(size: min(operands[index].size, Extent.assumedText))
        }
    }

    private func call(_ name: String, _ arguments: [Checked], _ operands: [Extent], _ type: Type) -> Estimate {
        var sizes = 0
        for (argument, extent) in zip(arguments, operands) where !Self.shallow.contains(name) || argument.type.isText {
            sizes = sizes.adding(extent.size)
        }
        return Estimate(
            steps: sizes.adding(extraWork(of: name, arguments, operands)),
            extent: result(of: name, operands, type))
    }

    /// Beyond going once through each argument.
    private func extraWork(of name: String, _ arguments: [Checked], _ operands: [Extent]) -> Int {
        guard let first = operands.first else { return 0 }
        let last = operands.last ?? first
        switch name {
        case "matches": return match(arguments, first, pattern: last)
        case "format": return last.whole.multiplied(by: last.depth + 2)
        case "join": return first.size.multiplied(by: first.element.size.adding(last.size).adding(1))
        case "split": return bytes(of: first)
        case "replace": return replacements(operands).multiplied(by: operands.dropFirst(2).first?.size.adding(1) ?? 1)
        // Looking up a time zone.
        case _ where Library.preparations[name] != nil: return arguments.count == 2 ? 10 : 0
        default: return 0
        }
    }

    private func match(_ arguments: [Checked], _ text: Extent, pattern: Extent) -> Int {
        if case .constant(.string(let pattern))? = arguments.last?.kind, let size = patternSizes[pattern] {
            return text.size.multiplied(by: Regex.steps(size: size))
        }
        return text.size.multiplied(by: Regex.steps(size: Regex.largestSize))
            .adding(2 * Regex.largestSize + 100).adding(bytes(of: pattern))
    }

    private func bytes(of text: Extent) -> Int { text.size.multiplied(by: 64) }

    /// An empty text is found before every byte and at the end.
    private func replacements(_ operands: [Extent]) -> Int { bytes(of: operands[0]).adding(1) }

    // MARK: - Results

    private func result(of name: String, _ operands: [Extent], _ type: Type) -> Extent {
        let sizes = operands.reduce(0) { $0.adding($1.size) }
        switch type.unwrappingOptional.content.withoutNull {
        case .string, .bytes: return Extent(size: min(Extent.text(1 << 30), textSize(of: name, operands, sizes)))
        case .list where name == "split":
            return Extent(size: bytes(of: operands[0]), of: Extent(size: operands[0].size))
        case .int, .uint, .double, .bool, .null, .timestamp, .duration, .type, .named: return Extent()
        default:
            let parts = operands.reduce(Extent()) { $0.union($1) }
            // A host may make lists, and objects of its own, of what it is given.
            return Extent(
                size: max(sizes, Extent.assumedElements), key: parts.key, of: parts.element
            ).union(Extent(type))
        }
    }

    private func textSize(of name: String, _ operands: [Extent], _ sizes: Int) -> Int {
        switch name {
        case "replace":
            return sizes.adding(replacements(operands).multiplied(by: operands.dropFirst(2).first?.size ?? 1))
        case "join": return operands[0].size.multiplied(by: operands[0].element.size.adding(sizes)).adding(1)
        // A number of many digits takes 660 bytes, and bytes take two digits each.
        case "format":
            let values = operands.last?.whole.multiplied(by: 2) ?? 0
            return sizes.adding(values).adding((operands.last?.size ?? 0).multiplied(by: 11))
        case "trim", "substring", "charAt", "lowerAscii", "upperAscii", "reverse", "bytes", "base64.decode":
            return operands[0].size
        case "value", "or", "orValue", "optional.of", "optional.ofNonZeroValue":
            return operands.reduce(0) { max($0, $1.size) }
        // Quoting and encoding make longer what they are given; hosts may.
        default: return max(sizes.multiplied(by: 2), Extent.assumedText)
        }
    }
}

extension Type {
    /// Values of it may have others in them.
    fileprivate var mayHold: Bool {
        switch self {
        case .dyn, .error, .parameter, .list, .map, .object, .optional, .nullable: true
        default: false
        }
    }

    fileprivate var isText: Bool {
        switch unwrappingOptional.content.withoutNull {
        case .string, .bytes, .dyn, .error, .parameter: true
        default: false
        }
    }
}
