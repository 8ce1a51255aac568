import Rules

extension SubjectID {
    /// As every `--json` has it.
    var json: JSONOutput { ["type": .string(type), "id": .string(id)] }
}
