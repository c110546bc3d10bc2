// The sentences of the specifications that decide the cases, each said once. JSON Schema means draft 2020-12, "Core" or "Validation";
// OpenAPI means 3.1.0 unless a version is named.

export const words = {
  required:
    "Validation 6.5.3: an object is valid if every item in the array is the name of a property in the instance.",
  enum: "Validation 6.1.2: valid if its value is equal to one of the elements in this keyword's array value.",
  const: "Validation 6.1.3: valid if its value is equal to the value of the keyword.",
  type: "Validation 6.1.1: valid if its type matches any of the types indicated by the strings in the array.",
  integer: 'Validation 6.1.1: "integer" matches any number with a zero fractional part, so integers are numbers.',
  maximum: "Validation 6.2.2: a number validates only if it is less than or exactly equal to maximum.",
  minimum: "Validation 6.2.4: a number validates only if it is greater than or exactly equal to minimum.",
  exclusiveMaximum: "Validation 6.2.3: valid only if strictly less than (not equal to) exclusiveMaximum.",
  exclusiveMinimum: "Validation 6.2.5: valid only if strictly greater than (not equal to) exclusiveMinimum.",
  multipleOf: "Validation 6.2.1: a number is valid only if division by this keyword's value results in an integer.",
  maxLength: "Validation 6.3.1: a string is valid if its length is less than, or equal to, the value of this keyword.",
  minLength:
    "Validation 6.3.2: a string is valid if its length is greater than, or equal to, the value. Omitting it is the same as 0.",
  pattern: "Validation 6.3.3: a string is valid if the regular expression matches the instance successfully.",
  maxItems: "Validation 6.4.1: an array is valid if its size is less than, or equal to, the value of this keyword.",
  minItems:
    "Validation 6.4.2: an array is valid if its size is greater than, or equal to, the value. Omitting it is 0.",
  uniqueItems:
    "Validation 6.4.3: if true, the instance is valid if all of its elements are unique. Omitting it is false.",
  contains: "Core 10.3.1.3: an array is valid if at least one of its elements is valid against the given schema.",
  maxContains: "Validation 6.4.4: valid if the number of elements that match contains is not greater than the value.",
  minContains: "Validation 6.4.5: valid if the number of elements that match contains is not less than the value.",
  maxProperties:
    "Validation 6.5.1: an object is valid if its number of properties is less than, or equal to, the value.",
  minProperties:
    "Validation 6.5.2: an object is valid if its number of properties is greater than, or equal to, the value.",
  dependentRequired:
    "Validation 6.5.4: for each name present in both, every item in the array must be the name of a property in the instance.",
  dependentSchemas:
    "Core 10.2.2.4: if the object key is a property in the instance, the entire instance must validate.",
  additional:
    "Core 10.3.2.3: valid if the values of names not matched by properties or patternProperties validate; omitting it is an empty schema.",
  patternProperties: "Core 10.3.2.2: valid if the child instance for each name that matches the expression validates.",
  propertyNames: "Core 10.3.2.4: valid if every property name in the instance validates against the provided schema.",
  items: "Core 10.3.1.2: applies its subschema to all instance elements after those matched by prefixItems.",
  prefixItems: "Core 10.3.1.1: valid if each element validates against the schema at the same position, if any.",
  allOf: "Core 10.2.1.1: valid if it validates successfully against all schemas defined by this keyword's value.",
  anyOf: "Core 10.2.1.2: valid if it validates successfully against at least one schema of this keyword's value.",
  oneOf: "Core 10.2.1.3: valid if it validates successfully against exactly one schema of this keyword's value.",
  not: "Core 10.2.1.4: valid if it fails to validate successfully against the schema defined by this keyword.",
  conditional:
    "Core 10.2.2: if the instance validates against if, it must also be valid against then, otherwise against else.",
  unevaluated:
    "Core 11.3: applies to the properties that no other keyword has evaluated; omitting it is an empty schema.",
  unevaluatedItems:
    "Core 11.2: applies to the elements that no other keyword has evaluated; omitting it is an empty schema.",
  booleanSchema: "Core 4.3.2: true always passes validation, false always fails validation.",
  format:
    "Validation 7.1: format conveys semantic information for a fixed subset of values, so a value may fall outside it.",
  formats: "OpenAPI 4.4: int32 is signed 32 bits, int64 is signed 64 bits; password is a hint to obscure the value.",
  contentEncoding:
    "Validation 8.3: the string should be interpreted as encoded binary data and decoded using this encoding.",
  annotation: "Validation 9: these keywords are annotations; they do not affect whether an instance is valid.",
  default:
    "OpenAPI 3.0.3 Schema Object: the default is what the consumer of the input assumes as the value if one is not provided.",
  readOnly:
    "OpenAPI 3.0.3: readOnly MAY be sent in a response but SHOULD NOT be sent in the request; required takes effect on the response only.",
  writeOnly:
    "OpenAPI 3.0.3: writeOnly MAY be sent in a request but SHOULD NOT be sent in the response; required takes effect on the request only.",
  nullable:
    'OpenAPI 3.0.3: a true value adds "null" to the allowed type specified by the type keyword. The default is false.',
  discriminator:
    "OpenAPI Discriminator Object: propertyName is REQUIRED; mapping holds mappings between payload values and schemas.",
  tolerant:
    "RFC 9110 and Core 10.3.2: names that no keyword describes are allowed unless additionalProperties says otherwise.",
  gone: "A reader that was promised the field finds it nowhere in the new contract.",
  ignored: "A writer may go on sending the field, but the new contract no longer says that anybody reads it.",
  parameterRequired:
    "OpenAPI Parameter Object, required: determines whether this parameter is mandatory; its default value is false.",
  parameterIdentity: "OpenAPI Parameter Object: a unique parameter is defined by a combination of a name and location.",
  headerCase: "OpenAPI Parameter Object: header names are case insensitive (RFC 7230).",
  headerIgnored: "OpenAPI: for a header named Accept, Content-Type or Authorization the definition SHALL be ignored.",
  pathItemParameters:
    "OpenAPI Path Item: parameters apply to all operations below and can be overridden there, but not removed.",
  style:
    "OpenAPI Parameter Object, style: describes how the parameter value will be serialized. Defaults: query form, path simple.",
  explode:
    "OpenAPI, explode: arrays and objects generate separate parameters; for other types it has no effect; form defaults to true.",
  allowEmptyValue:
    "OpenAPI, allowEmptyValue: sets the ability to pass empty-valued parameters. Default value is false.",
  allowReserved: "OpenAPI, allowReserved: whether the value SHOULD allow reserved characters without percent-encoding.",
  parameterContent: "OpenAPI: a parameter MUST contain either a schema property, or a content property, but not both.",
  bodyRequired:
    "OpenAPI Request Body Object, required: determines if the body is required in the request. Defaults to false.",
  bodyContent:
    "OpenAPI Request Body Object, content: the key is a media type or range; the most specific key is applicable.",
  responseContent:
    "OpenAPI Response Object, content: descriptions of potential response payloads by media type or range.",
  responses:
    "OpenAPI Responses Object: expected to cover a successful operation response and any known errors, not all codes.",
  responseDefault: "OpenAPI Responses Object, default: covers all HTTP codes that are not covered individually.",
  responseRange:
    "OpenAPI: a field may contain the wildcard X to define a range; an explicit code takes precedence over it.",
  header: "OpenAPI Header Object: follows the structure of the Parameter Object; required defaults to false.",
  encoding: "OpenAPI Encoding Object, contentType: the Content-Type for encoding a specific property.",
  security:
    "OpenAPI, security: only one of the alternatives needs to be satisfied; an empty requirement {} makes it optional.",
  securityAll: "OpenAPI Security Requirement: of several schemes in one requirement, all MUST be satisfied.",
  scopes: "OpenAPI Security Requirement: the value is a list of scope names required for the execution.",
  securityDefault: "OpenAPI, operation security: overrides any declared top-level security; an empty array removes it.",
  scheme: "OpenAPI Security Scheme Object: type, in, name and scheme say how a client must authenticate.",
  bearerFormat:
    "OpenAPI, bearerFormat: a hint to the client to identify how the bearer token is formatted; documentation only.",
  flows: "OpenAPI OAuth Flows Object: the supported flows, with the URL and the available scopes of each.",
  template:
    "OpenAPI Paths Object: templated paths with the same hierarchy but different templated names are identical.",
  paths: "OpenAPI Paths Object: holds the relative paths to the individual endpoints and their operations.",
  operationId:
    "OpenAPI, operationId: tools and libraries MAY use it to uniquely identify an operation; it is case-sensitive.",
  deprecated: "OpenAPI, deprecated: consumers SHOULD refrain from usage. Default value is false.",
  sunset: "RFC 8594: a sunset is the point in time after which the resource is expected to become unresponsive.",
  documentation: "OpenAPI: summary, description, tags, examples and externalDocs are documentation.",
  servers:
    "OpenAPI, servers: connectivity information to a target server; omitted or empty means one server with the URL /.",
  serverVariable:
    "OpenAPI Server Variable: enum is the limited set of values; default is used if an alternate is not supplied.",
  callbacks:
    "OpenAPI Callback Object: out-of-band requests that the API provider initiates, and the expected responses.",
  webhooks: "OpenAPI, webhooks: incoming requests that the API consumer MAY choose to implement.",
  links:
    "OpenAPI Link Object: a possible design-time link for a response; its presence does not guarantee it can be invoked.",
  xml: "OpenAPI XML Object: name, namespace, prefix, attribute and wrapped change how a property is represented in XML.",
  reference:
    "OpenAPI Reference Object: a simple object to allow referencing other components, internally and externally.",
  components:
    "OpenAPI Components Object: its objects have no effect unless they are explicitly referenced from outside it.",
  extensions:
    "OpenAPI Specification Extensions: fields that begin with x- add information and may be ignored by tools.",
} as const;
