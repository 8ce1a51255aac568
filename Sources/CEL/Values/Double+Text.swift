extension Double {
    /// The shortest decimal that reads back the same: `1` for 1.0, `0.0045`, `1e+21`; `NaN`, `Infinity`.
    var celText: String {
        guard isFinite else { return isNaN ? "NaN" : self < 0 ? "-Infinity" : "Infinity" }
        let (digits, exponent) = shortestDigits
        let sign = self.sign == .minus ? "-" : ""
        if digits.isEmpty { return sign + "0" }
        if exponent < -4 || exponent >= 21 {
            let fraction = digits.count > 1 ? "." + digits.dropFirst() : ""
            let power = exponent.magnitude < 10 ? "0\(exponent.magnitude)" : "\(exponent.magnitude)"
            return "\(sign)\(digits.prefix(1))\(fraction)e\(exponent < 0 ? "-" : "+")\(power)"
        }
        if exponent < 0 { return "\(sign)0.\(String(repeating: "0", count: -exponent - 1))\(digits)" }
        let whole = digits.prefix(exponent + 1)
        let zeros = String(repeating: "0", count: exponent + 1 - whole.count)
        let fraction = digits.dropFirst(exponent + 1)
        return "\(sign)\(whole)\(zeros)\(fraction.isEmpty ? "" : "." + fraction)"
    }

    /// The significant digits without leading or trailing zeros, and the power of ten of the first one.
    private var shortestDigits: (digits: String, exponent: Int) {
        let parts = magnitude.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let all = mantissa.joined()
        var exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) + mantissa[0].count - 1
        let leading = all.prefix { $0 == "0" }.count
        exponent -= leading
        var digits = String(all.dropFirst(leading))
        while digits.last == "0" { digits.removeLast() }
        return (digits, exponent)
    }
}
