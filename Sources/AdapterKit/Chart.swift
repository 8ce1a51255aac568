/// Numbers to be drawn: an adapter shows the picture that comes with a delivery, or the chart as a line of text.
public struct Chart: Hashable, Sendable, Codable {
    /// A bar, named by untrusted text.
    public struct Point: Hashable, Sendable, Codable {
        public var label: String
        public var value: Double

        public init(label: String, value: Double) {
            self.label = label
            self.value = value
        }
    }

    public enum Unit: String, Hashable, Sendable, Codable {
        case usd
    }

    public var title: String
    public var points: [Point]
    public var unit: Unit

    public init(title: String, points: [Point], unit: Unit = .usd) {
        self.title = title
        self.points = points
        self.unit = unit
    }
}

/// A picture, ready to be sent.
public struct Picture: Hashable, Sendable {
    public var bytes: [UInt8]
    /// `image/png`.
    public var mediaType: String
    /// In pixels.
    public var width: Int
    public var height: Int
    /// What it shows, for those who do not see it.
    public var description: String

    public init(bytes: [UInt8], mediaType: String, width: Int, height: Int, description: String) {
        self.bytes = bytes
        self.mediaType = mediaType
        self.width = width
        self.height = height
        self.description = description
    }
}
