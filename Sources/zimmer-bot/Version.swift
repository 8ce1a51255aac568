/// The version that `--version` prints; it is the tag of a release.
let programVersion = "0.1.0"
