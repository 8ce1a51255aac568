/// What the program's exit status says.
enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case failure = 1
    case findings = 2
    case usage = 64
    case configuration = 78

    var meaning: String {
        switch self {
        case .success: "done"
        case .failure: "it did not work out"
        case .findings:
            "there is something to report: check found errors, a test failed, replay found a difference, plan --exit-code has work"
        case .usage: "the command line is wrong"
        case .configuration: "the configuration of a command that runs is wrong"
        }
    }
}
