package import AdapterKit
package import DemoZimmer

/// A kind of channel whose messages are kept, in order, for a test to read.
package struct RecordingKind: AdapterKind {
    package let name: String
    package let schema: ConfigurationSchema
    package let messages: EventLog<Message>

    /// - Parameter name: the word after `adapter:`; with `keys`, it stands in for a kind that has those.
    package init(_ name: String, keys: [ConfigurationKey] = [], into messages: EventLog<Message>) {
        self.name = name
        self.messages = messages
        schema = ConfigurationSchema(keys)
    }

    package func makeAdapter(
        configuration: AdapterConfiguration, context: AdapterContext
    ) throws(ConfigurationError) -> any Adapter {
        RecordingAdapter(messages: messages)
    }
}

private struct RecordingAdapter: Adapter {
    let account = "recording"
    let messages: EventLog<Message>

    func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        messages.append(delivery.message)
        return .delivered(Receipt())
    }

    func render(_ delivery: Delivery) -> [RenderedPart] { [] }
}
