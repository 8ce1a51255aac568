import CEL
import Testing

@Suite struct LibraryTests {
    @Test(
        arguments: [
            ("size('añ') + size(b'abc') + size([1]) + {'a': 1}.size()", "7"), ("'abc'.startsWith('ab')", "true"),
            ("'abc'.endsWith('bc')", "true"), ("'abc'.contains('')", "true"), ("'aab'.contains('ab')", "true"),
            ("'a1'.matches('^[a-z][0-9]$') && matches('xay', 'a')", "true"), ("int('-7') + int(2.9) + int(3u)", "-2"),
            ("int(timestamp('1970-01-01T00:01:00Z'))", "60"), ("uint(3.9)", "3"), ("double('1e3')", "1000"),
            ("string(1.0) + string(2u) + string(true) + string(b'x')", "12truex"), ("string(1e21)", "1e+21"),
            ("string(0.00001)", "1e-05"), ("string(123456789.5)", "123456789.5"),
            ("string(timestamp('2026-01-02T03:04:05.600Z'))", "2026-01-02T03:04:05.6Z"),
            ("string(duration('1m1.5s'))", "61.5s"), ("bytes('é')", "é"), ("bool('t') && !bool('FALSE')", "true"),
            ("timestamp(0)", "1970-01-01T00:00:00Z"), ("type(dyn(1))", "int"),
        ])
    func `standard functions`(source: String, value: String) {
        #expect(evaluate(source) == value)
    }

    @Test(
        arguments: [
            ("getFullYear()", "2026"), ("getMonth()", "9"), ("getDate()", "9"), ("getDayOfMonth()", "8"),
            ("getDayOfYear()", "281"), ("getDayOfWeek()", "5"), ("getHours()", "23"), ("getMinutes()", "30"),
            ("getSeconds()", "15"), ("getMilliseconds()", "250"), ("getHours('+02:00')", "1"),
            ("getDate('+02:00')", "10"), ("getHours('America/Chicago')", "18"), ("getHours('Europe/Berlin')", "1"),
            ("getMinutes('Asia/Kathmandu')", "15"), ("getHours('-00:30')", "23"), ("getDayOfWeek('UTC')", "5"),
        ])
    func `parts of a time, in UTC and in zones`(part: String, value: String) {
        #expect(evaluate("timestamp('2026-10-09T23:30:15.250Z').\(part)") == value)
    }

    @Test func `a zone that does not exist is an error`() {
        #expect(evaluate("timestamp(0).getHours('Nowhere/At_All')").hasPrefix("does not compile: 'Nowhere/At_All'"))
        var environment = Environment()
        environment.declare("zone", .string)
        var activation = Activation(environment)
        activation[0] = .string("Nowhere")
        #expect(evaluate("timestamp(0).getHours(zone)", environment, activation) == "error: invalidArgument")
        activation[0] = .string("Asia/Tokyo")
        #expect(evaluate("timestamp(0).getHours(zone)", environment, activation) == "9")
    }

    @Test(
        arguments: [
            ("duration('3h25m').getHours()", "3"), ("duration('3h25m').getMinutes()", "205"),
            ("duration('1m5s').getSeconds()", "65"), ("duration('1.25s').getMilliseconds()", "250"),
        ])
    func `parts of a duration`(source: String, value: String) {
        #expect(evaluate(source) == value)
    }

    @Test(
        arguments: [
            ("'añb'.charAt(1)", "ñ"), ("'ab'.charAt(2)", ""), ("'añbñ'.indexOf('ñ')", "1"),
            ("'añbñ'.indexOf('ñ', 2)", "3"), ("'abab'.lastIndexOf('ab')", "2"), ("'abab'.lastIndexOf('ab', 1)", "0"),
            ("['a', 'b'].join('-') + ['c'].join()", "a-bc"), ("'a,b,c'.split(',')", "[a, b, c]"),
            ("'a,b,c'.split(',', 2)", "[a, b,c]"), ("'añ'.split('')", "[a, ñ]"), ("'abc'.split('', 2)", "[a, bc]"),
            ("'aXbX'.replace('X', 'yy')", "ayybyy"), ("'aXbX'.replace('X', '', 1)", "abX"),
            ("'ab'.replace('', '-')", "-a-b-"), ("'añbc'.substring(1, 3)", "ñb"), ("'abc'.substring(2)", "c"),
            ("' \\ta\\u2003'.trim()", "a"), ("'ÀbC'.lowerAscii() + 'àb'.upperAscii()", "ÀbcàB"),
            ("'añb'.reverse()", "bña"), ("strings.quote('a\"\\n')", "\"a\\\"\\n\""),
        ])
    func `functions of text`(source: String, value: String) {
        #expect(evaluate(source) == value)
    }

    @Test(
        arguments: [
            ("'%s %d %% %.2f'.format(['a', 2, 3.14159])", "a 2 % 3.14"),
            ("'%b %o %x %X'.format([5, 8, 255, 'az'])", "101 10 ff 617A"),
            ("'%e'.format([1234.5])", "1.234500e+03"),
            ("'%s'.format([[1, {'b': 2.5, 'a': null}]])", "[1, {a: null, b: 2.5}]"),
            ("'%d'.format([])", "error: invalidArgument"), ("'%d'.format(['a'])", "error: invalidArgument"),
            ("'%'.format([1])", "error: invalidArgument"), ("'%.9999f'.format([1.0])", "error: invalidArgument"),
            ("'%.350f'.format([1.7e308]).size()", "660"),
        ])
    func `format fills in values`(source: String, value: String) {
        #expect(evaluate(source) == value)
    }

    @Test(
        arguments: [
            ("math.greatest(1, 2.5, 2u)", "2.5"), ("math.least([3, 1, 2])", "1"), ("math.ceil(1.2)", "2"),
            ("math.floor(-1.2)", "-2"), ("math.round(-1.5)", "-2"), ("math.trunc(-1.9)", "-1"), ("math.sqrt(9)", "3"),
            ("math.abs(-4)", "4"), ("math.abs(-9223372036854775808)", "error: overflow"), ("math.sign(-2.5)", "-1"),
            ("math.isNaN(0.0 / 0.0)", "true"), ("math.isInf(-1.0 / 0.0)", "true"), ("math.isFinite(1.0)", "true"),
            ("math.bitAnd(6, 3)", "2"), ("math.bitOr(6u, 3u)", "7"), ("math.bitXor(6, 3)", "5"),
            ("math.bitNot(0)", "-1"),
            ("math.bitShiftLeft(1, 63)", "-9223372036854775808"), ("math.bitShiftRight(-1, 63)", "1"),
            ("math.bitShiftLeft(1, -1)", "error: invalidArgument"), ("math.greatest([])", "error: invalidArgument"),
        ])
    func `functions of numbers`(source: String, value: String) {
        #expect(evaluate(source) == value)
    }

    @Test(
        arguments: [
            ("optional.of(1).hasValue()", "true"), ("optional.none().hasValue()", "false"),
            ("optional.ofNonZeroValue('').hasValue()", "false"), ("optional.of(1).or(optional.of(2)).value()", "1"),
            ("optional.none().or(optional.of(2)).value()", "2"), ("optional.none().orValue(3)", "3"),
            ("optional.none().value()", "error: invalidArgument"),
            ("{'a': optional.of(1)}.?a.value().value() + 1", "2"), ("[optional.of(1)][?0].value().orValue(2)", "1"),
            ("optional.unwrap([optional.of(1), optional.none()])", "[1]"), ("[optional.of(2)].unwrapOpt()", "[2]"),
            ("base64.encode(b'hello')", "aGVsbG8="), ("string(base64.decode('aGVsbG8'))", "hello"),
            ("base64.decode('a')", "error: invalidArgument"), ("base64.decode('!!!!')", "error: invalidArgument"),
        ])
    func `optionals and base64`(source: String, value: String) {
        #expect(evaluate(source) == value)
    }

    @Test(
        arguments: [
            ("string(ip('2001:DB8:0:0::1'))", "2001:db8::1"), ("string(ip('1:0:0:2:0:0:0:3'))", "1:0:0:2::3"),
            ("isIP('1.2.3') || isIP('1.2.3.04') || isIP('::1::') || isIP('1:2:3:4:5:6:7')", "false"),
            ("ip('10.0.0.1').family() + ip('::1').family()", "10"), ("ip.isCanonical('::1')", "true"),
            ("ip('127.0.0.9').isLoopback() && ip('::').isUnspecified()", "true"),
            ("ip('8.8.8.8').isGlobalUnicast() && ip('224.0.0.5').isLinkLocalMulticast()", "true"),
            ("ip('fe80::1').isLinkLocalUnicast()", "true"), ("isCIDR('10.0.0.0/33')", "false"),
            ("cidr('10.0.0.0/8').containsIP('10.9.9.9')", "true"), ("cidr('::/0').containsIP(ip('::5'))", "true"),
            ("cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", "true"), ("cidr('10.1.2.3/16').masked()", "10.1.0.0/16"),
            ("cidr('10.1.2.3/16').ip()", "10.1.2.3"), ("cidr('10.1.2.3/16').prefixLength()", "16"),
        ])
    func `network addresses`(source: String, value: String) {
        #expect(evaluate(source) == value)
    }

    @Test func `every function has a line in the reference and a signature`() {
        let functions = Environment().functionList
        #expect(functions.count > 80)
        for function in functions {
            #expect(!function.documentation.isEmpty, "\(function.name)")
            #expect(!function.signatures.isEmpty, "\(function.name)")
        }
        #expect(functions.first { $0.name == "startsWith" }?.signatures == ["string.startsWith(string) -> bool"])
    }
}
