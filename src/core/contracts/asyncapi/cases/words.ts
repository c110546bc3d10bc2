// The sentences of the AsyncAPI specification that decide the cases, each said once. What payloads may hold is said by JSON Schema.

export const words = {
  channels:
    "AsyncAPI Channels Object: holds the relative paths to the channels that applications publish to and subscribe to.",
  address:
    "AsyncAPI 3 Channel Object, address: the address of this channel, typically the topic name, routing key or path.",
  channelId:
    "AsyncAPI 3 Channels Object: the channel id identifies a channel within the document; the address is where messages go.",
  publish:
    "AsyncAPI 2 Channel Item, publish: messages consumed by the application from the channel, so that others produce them.",
  subscribe: "AsyncAPI 2 Channel Item, subscribe: messages produced by the application and sent to the channel.",
  action:
    "AsyncAPI 3 Operation Object, action: send when the application will send a message, receive when it expects one.",
  messages:
    "AsyncAPI 3 Channel Object, messages: a map of the messages that will be sent to this channel by any application.",
  messageOneOf:
    "AsyncAPI 2 Operation Object, message: oneOf is allowed to specify multiple messages; one of them is valid.",
  operationMessages:
    "AsyncAPI 3 Operation Object, messages: a subset of the channel's messages; absent means all of them.",
  payload: "AsyncAPI Message Object, payload: definition of the message payload, a Schema Object by default.",
  headers: "AsyncAPI Message Object, headers: schema definition of the application headers; it must be of type object.",
  contentType:
    "AsyncAPI Message Object, contentType: the content type to use when encoding or decoding a message's payload.",
  defaultContentType: "AsyncAPI, defaultContentType: the content type to use where a message gives none.",
  schemaFormat: "AsyncAPI, schemaFormat: the name of the schema format used to define the message payload.",
  correlationId:
    "AsyncAPI Correlation ID Object, location: a runtime expression that specifies where the correlation id is.",
  name: "AsyncAPI Message Object, name: a machine-friendly name for the message.",
  operationId: "AsyncAPI 2, operationId: tools and libraries MAY use it to uniquely identify an operation.",
  operationKey:
    "AsyncAPI 3 Operations Object: the operation id is the key; tools and libraries MAY use it to identify the operation.",
  parameters: "AsyncAPI Channel Object, parameters: a map of the parameters included in the channel address.",
  parameterEnum:
    "AsyncAPI 3 Parameter Object, enum: the values to be used if the substitution options are from a limited set.",
  parameterLocation:
    "AsyncAPI Parameter Object, location: a runtime expression that specifies where the parameter value is.",
  servers: "AsyncAPI Server Object: a message broker, a server or any other kind of computer program to connect to.",
  protocol: "AsyncAPI Server Object, protocol: REQUIRED, the protocol this server supports for connection.",
  channelServers:
    "AsyncAPI Channel Object, servers: the servers on which this channel is available; absent or empty means all.",
  serverVariable:
    "AsyncAPI Server Variable Object: enum is the limited set, default is used when no other value is supplied.",
  security: "AsyncAPI, security: alternative security schemes; only one of them needs to be satisfied.",
  bindings: "AsyncAPI bindings: protocol-specific information for a channel, an operation, a message or a server.",
  bindingVersion: "AsyncAPI bindings, bindingVersion: the version of this binding; it describes the description.",
  kafkaTopic: "AsyncAPI Kafka binding, topic: the Kafka topic name if different from the channel name.",
  kafkaKey: "AsyncAPI Kafka binding, key: the schema of the message key.",
  amqp: "AsyncAPI AMQP binding: is says queue or routingKey; exchange and queue are what clients bind to.",
  mqtt: "AsyncAPI MQTT binding: qos and retain say how hard the broker tries and whether it keeps the message.",
  webSocket: "AsyncAPI WebSockets binding: method, query and headers of the request that opens the connection.",
  http: "AsyncAPI HTTP binding, method: the HTTP method of the request.",
  traits: "AsyncAPI traits: fields merged into the operation or message that names them.",
  reply: "AsyncAPI 3 Operation Reply Object: where and with which messages the reply to a request is sent.",
  documentation: "AsyncAPI: title, summary, description, tags, examples and externalDocs are documentation.",
  components: "AsyncAPI Components Object: has no effect unless explicitly referenced from outside it.",
} as const;
