@main
enum ZimmerBot {
    static func main() async {}
}
