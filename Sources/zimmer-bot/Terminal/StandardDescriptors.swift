import Glibc

/// Standard input, output and error, which whoever starts the program may have closed: `zimmer-bot run … >&-`.
enum StandardDescriptors {
    /// Takes the numbers of those that are closed. The next file that is opened would get one of them, and what is printed
    /// would be written into it: the database, or a connection.
    ///
    /// What takes their place is open the other way round, so that reading or writing fails as it did before.
    static func hold() {
        for (descriptor, way) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
        where fcntl(Int32(descriptor), F_GETFD) < 0 && errno == EBADF {
            // The lowest number that is free: this one, as those below it are taken by now.
            _ = open("/dev/null", way)
        }
    }
}
