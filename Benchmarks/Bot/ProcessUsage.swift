import Foundation
import Glibc

/// What the kernel says about this process.
enum ProcessUsage {
    struct Memory: Codable {
        /// The most that was ever resident, and what is now, in KiB.
        var peak: Int
        var resident: Int
        /// The part that no file backs: heap and stacks.
        var anonymous: Int
    }

    static func memory() -> Memory {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        var numbers: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == ":" || $0 == " " || $0 == "\t" })
            if words.count >= 2, let number = Int(words[1]) { numbers[words[0]] = number }
        }
        return Memory(
            peak: numbers["VmHWM"] ?? 0, resident: numbers["VmRSS"] ?? 0, anonymous: numbers["RssAnon"] ?? 0)
    }

    /// Time that processors spent on this process, the kernel's part included, in seconds.
    static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
