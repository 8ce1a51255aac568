/// What other languages call what is written in another way here.
enum ForeignName {
    /// How a function is written here; a method's name, or that of a field such as `.length`, may stand for another one.
    static func form(ofFunction name: String, isMember: Bool) -> String? {
        let name = name.lowercased().filter { $0 != "_" }
        return (isMember ? methods[name] : nil) ?? functions[name]
    }

    /// The literal that a name stands for.
    static func literal(_ name: String) -> String? {
        literals[name]
    }

    private static let literals = [
        "None": "null", "nil": "null", "undefined": "null", "NULL": "null", "Null": "null", "True": "true",
        "TRUE": "true",
        "False": "false", "FALSE": "false",
    ]

    /// Forms by the name in small letters, without underscores.
    private static func byName(_ forms: [String: [String]]) -> [String: String] {
        var byName: [String: String] = [:]
        for (form, names) in forms {
            for name in names { byName[name] = form }
        }
        return byName
    }

    private static let methods = byName([
        "x.getHours(\"America/Chicago\")": ["hour", "hours"],
        "x.getMinutes()": ["minute", "minutes"],
        "x.getSeconds()": ["second", "seconds", "totalseconds"],
        "x.getFullYear(\"America/Chicago\")": ["year", "getyear"],
        "x.getMonth(\"America/Chicago\")": ["month"],
        "x.getDate(\"America/Chicago\")": ["day", "dayofmonth"],
        "x.getDayOfWeek(\"America/Chicago\")": ["weekday", "dayofweek", "getday", "isoweekday"],
        "int(x)": ["unix", "epoch", "gettime", "tounix"],
        "timestamp - duration(\"24h\")": ["subtract", "minus"],
    ])

    private static let functions = byName([
        "x.size()": ["len", "length", "count", "strlen", "charlength"],
        "x.size() == 0": ["empty", "isempty"],
        "list.exists(x, x > 0)": ["any", "some"],
        "list.all(x, x > 0)": ["every"],
        "!list.exists(x, x > 0)": ["none"],
        "list.filter(x, x > 0)": ["find", "select", "where", "grep"],
        "list[0]": ["first", "head"],
        "list[list.size() - 1]": ["last"],
        "text.contains(\"a\"), or \"a\" in list": ["includes"],
        "text.matches(\"pattern\")": ["match", "test", "regexmatch", "search", "like"],
        "text.startsWith(\"a\")": ["hasprefix"],
        "text.endsWith(\"a\")": ["hassuffix"],
        "text.lowerAscii()": ["lower", "lowercase", "tolower", "tolowercase", "downcase"],
        "text.upperAscii()": ["upper", "uppercase", "toupper", "touppercase", "upcase"],
        "text.trim()": ["strip", "trimspace"],
        "text.substring(0, 3)": ["substr", "slice"],
        "text.replace(\"a\", \"b\")": ["replaceall", "gsub", "sub"],
        "a + b": ["concat"],
        "a == b": ["equals", "eq"],
        "string(x)": ["str", "tostring", "text"],
        "int(x)": ["parseint", "toint", "integer"],
        "double(x)": ["float", "parsefloat", "tofloat", "number"],
        "bool(x)": ["boolean"],
        "type(x)": ["typeof"],
        "math.least(a, b)": ["min"],
        "math.greatest(a, b)": ["max"],
        "math.abs(x)": ["abs"], "math.round(x)": ["round"], "math.floor(x)": ["floor"], "math.ceil(x)": ["ceil"],
        "math.sqrt(x)": ["sqrt"], "x * x": ["pow"],
        "map.?key.orValue(\"none\")": ["get", "fetch", "dig"],
        "has(a.b)": ["exists", "defined", "isdefined"],
        "a == null": ["isnull", "isnil"],
        "a.?b.orValue(\"none\")": ["default", "coalesce", "ifnull", "ifempty"],
        "duration(\"24h\")": ["days", "hours", "minutes", "seconds", "weeks", "timedelta", "interval"],
    ])
}
