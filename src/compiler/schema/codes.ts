import type { ExplainedCodes } from '../../base/errors/index.ts';

export const schemaCodes = {
  'schema/syntax-error': {
    title: 'A TypeScript file cannot be parsed',
    explain:
      'The compiler found a syntax error. The code after it might be dropped silently, so nothing is generated until it is corrected. A `*/` inside a doc comment ends the comment: write `*\\/`.',
  },
  'schema/tsconfig': {
    title: 'The tsconfig.json cannot be parsed',
    explain:
      'How imports are resolved is read from the tsconfig.json nearest to the project; it must be valid JSON with comments.',
  },
  'schema/no-such-type': {
    title: 'The interface of a kind is missing',
    explain:
      'A kind is declared by an interface and a value of the same name; the interface was not found, or is not an interface.',
  },
  'schema/not-a-resource': {
    title: 'The interface of a kind is not a resource',
    explain:
      'The interface of a kind extends CustomResource, which brings apiVersion, kind and metadata. These three are not declared again.',
  },
  'schema/unresolved-type': {
    title: 'A type cannot be found',
    explain:
      'An API type names a type that is not declared, or an import that does not resolve. The compiler would treat it as `any` and the field would lose its schema.',
  },
  'schema/plain-number': {
    title: 'A plain `number`',
    explain:
      'Kubernetes distinguishes integers from floating point numbers, TypeScript does not. Use Int32 or Int64 from opsdk. `@format int32|int64|float|double`, a union of number literals, and `@k8s {"type": …}` are alternatives.',
  },
  'schema/any-type': {
    title: 'A type without fields',
    explain:
      'The API server drops fields that a schema does not name. `any`, `unknown`, `object` and `{}` name none. Json and JsonObject keep unknown fields on purpose.',
  },
  'schema/not-json': {
    title: 'A type that has no form in JSON',
    explain:
      'Objects of Kubernetes are JSON. Maps, sets, dates, functions, symbols and the like cannot be stored in them.',
  },
  'schema/tuple': {
    title: 'A tuple',
    explain:
      'The items of a list in a CRD all have one schema; the API server refuses a schema for each position.',
  },
  'schema/recursive-type': {
    title: 'A type that refers to itself',
    explain:
      'The schema of a CRD has no references, so a recursive type would be endless, and a type with very many levels useless. Write out the levels, or cut the recursion with a `@k8s` tag that keeps unknown fields.',
  },
  'schema/too-large': {
    title: 'A schema of too many parts',
    explain:
      'The schema of a CRD has no references: a type that is used in two places is written out twice, and types that use each other twice double the schema with every level. Above 50,000 fields, items and values in one version, no CRD fits into the 1.5 MiB that etcd stores. The message names the fields that lead to the growth.',
  },
  'schema/mixed-union': {
    title: 'A union of different types',
    explain:
      'A structural schema gives each field one type. `null`, literals of one type, strings, distinguishable objects, IntOrString and Quantity can be expressed; other unions cannot.',
  },
  'schema/object-union': {
    title: 'A union of objects that cannot be distinguished or merged',
    explain:
      'A structural schema lists the fields of all members in one place, and `oneOf` says which belong together. So a field must be the same in all members that have it, each member needs a required field or a literal that the others do not have, and constraints on one member as a whole cannot be expressed.',
  },
  'schema/index-signature': {
    title: 'An object with known fields and arbitrary keys',
    explain: 'The API server refuses a schema with both `properties` and `additionalProperties`.',
  },
  'schema/record-key': {
    title: 'A constraint on the keys of a record',
    explain: 'A schema in a CRD cannot constrain keys; a CEL rule on the field can.',
  },
  'schema/client-node-type': {
    title: 'A model class of @kubernetes/client-node as a field type',
    explain:
      'The classes of the JavaScript client have other field names than the API, no integer types and no list types. The built-in types of `opsdk/k8s/*` are made from the API server itself.',
  },
  'schema/embedded-resource': {
    title: 'A whole resource as a field type',
    explain:
      'The API server treats a complete object inside of another one specially: it checks its metadata and requires its apiVersion and kind. Use EmbeddedResource from opsdk.',
  },
  'schema/utility-type': {
    title: 'A utility type around the wrong type',
    explain:
      'AtomicObject, EmbeddedResource and similar types only take objects. The message says what is wrong here.',
  },
  'schema/unsupported-type': {
    title: 'A type that cannot be expressed',
    explain: 'The message says what it is about the type and what to write instead.',
  },
  'schema/disagreement': {
    title: 'The generated schema is not what the type checker says',
    explain:
      'After generation the schema is compared with the compiler: field names, optional fields, null, and values of enumerations. Here they differ, so op-sdk does not understand the type exactly and generates nothing. An interface that is written out always works.',
  },
  'schema/ignored-comment': {
    title: 'A comment that has no effect',
    explain:
      'TypeScript reads a doc comment only if it is directly above a declaration and on lines of its own, uses only the last of several, and reads no tags in other comments.',
  },
  'schema/go-marker': {
    title: "A marker of the Go tools' in a comment",
    explain: "kubebuilder's `+kubebuilder:…` markers have no effect here; op-sdk reads JSDoc tags.",
  },
  'schema/unknown-tag': {
    title: 'An unknown tag',
    explain: 'A misspelt tag would be a constraint that silently does not apply. docs/crd.md lists the tags.',
  },
  'schema/repeated-tag': {
    title: 'A tag appears twice',
    explain: 'Only `@cel` and `@k8s` may appear several times in one comment.',
  },
  'schema/tag-value': {
    title: 'The value of a tag cannot be used',
    explain: 'The message says what the tag expects.',
  },
  'schema/tag-type': {
    title: 'A tag that does not fit its type',
    explain:
      'The API server would accept the constraint and never apply it, such as a `minLength` on an integer.',
  },
  'schema/default-value': {
    title: 'A default or example that does not fit its type',
    explain: 'The API server refuses a CRD with a default that its own schema does not allow.',
  },
  'schema/pattern': {
    title: 'A pattern that is not RE2',
    explain: 'The API server matches with RE2, which has no look-around and no back references.',
  },
  'schema/bounds': {
    level: 'warning',
    title: 'Bounds that no value can meet',
    explain:
      'A minimum is greater than its maximum: the API server accepts such a schema, and then no value.',
  },
  'schema/list-type': {
    title: 'A list whose items cannot be identified',
    explain:
      'The keys of a ListMap are required (or defaulted) fields of its items with a string, integer or boolean; the items of a ListSet are plain values.',
  },
  'schema/printer-column': {
    title: 'A field that cannot be a column',
    explain: 'A column shows one plain value: no list, no object, and nothing inside a list or record.',
  },
  'schema/not-structural': {
    exitCode: 70,
    title: 'A generated schema that the API server would refuse',
    explain:
      'All generated schemas are checked once more as the API server checks them. This one fails although no tag or list is the cause, which is a bug in op-sdk. Please report it with the declaration.',
  },
  'schema/k8s-tag': {
    title: 'A `@k8s` tag with an invalid schema',
    explain: 'The tag is merged into the schema last, as it is; the result must be a structural schema.',
  },
  'schema/nullable-enum': {
    title: 'null beside an enumeration',
    explain:
      'The API server compares null with the values of an enumeration and refuses it, even if the field is nullable and null is among the values.',
  },
  'schema/nullable-enum-tag': {
    level: 'warning',
    title: '`@nullable` on an enumeration',
    explain:
      'The CRD is valid, but the API server compares null with the values of an enumeration and refuses it, nullable or not.',
  },
  'schema/default-for-people': {
    level: 'warning',
    title: '`@defaultValue` without `@default`',
    explain:
      "TSDoc's `@defaultValue` documents a default; it may be prose, and the API server never sees it. `@default` writes the default into the schema, where it is checked against the type.",
  },
  'schema/example': {
    level: 'warning',
    title: 'An `@example` that does not fit its type',
    explain:
      'An `@example` in JSON becomes the `example` of the schema if it is a value of the type; this one is not, and is left out. Any other text after `@example`, such as a code block, is documentation and never part of the schema.',
  },
  'schema/unknown-x-descriptor': {
    level: 'warning',
    title: 'An x-descriptor that no user interface knows',
    explain:
      'OpenShift’s console shows and edits a field as its x-descriptors say, and reads over those that it does not know. docs/bundles.md lists the known ones; `@allow` is for user interfaces of your own.',
  },
  'schema/unused-descriptor': {
    level: 'warning',
    title: 'A descriptor without a field',
    explain:
      'A descriptor names a field by its path below spec or status. What is inside of a record or of an embedded object has no such path, and `@descriptor spec` says nothing about a field that no kind has below spec. `@displayName` belongs to a kind, or to a field with a descriptor: those directly below spec and status, and those with `@descriptor`.',
  },
  'schema/unused-allow': {
    level: 'warning',
    title: 'An `@allow` without a warning',
    explain:
      'The declaration allows a warning that neither it nor anything below it causes. If it stayed, it would hide the next one.',
  },
  'schema/required-undeclared': {
    level: 'warning',
    title: 'A required name that the type does not declare',
    explain:
      'The API server requires the name but drops its value, because the schema does not have this field. Declare the field, or keep unknown fields with `@preserveUnknownFields`.',
  },
  'schema/no-effect': {
    level: 'warning',
    title: 'A constraint that never applies',
    explain:
      'The API server accepts the schema and never applies a part of it: a keyword of another type (such as `minLength` on an integer), a value in an enumeration that the type excludes, or a field in `oneOf`, `anyOf`, `allOf` or `not` that the schema does not have.',
  },
  'schema/unbounded-cel': {
    level: 'warning',
    title: 'A list, map or string without a maximum under a rule',
    explain:
      'The API server estimates the worst-case cost of a CEL rule and refuses expensive ones. Without `@maxItems`, `@maxProperties` or `@maxLength` this cost is huge: the rule may be refused, now or after the next one is added.',
  },
  'schema/unit': {
    level: 'warning',
    title: 'A number without a unit',
    explain:
      '`timeout: 5` may be seconds or minutes. The API conventions put the unit into the name of the field, such as timeoutSeconds, or use a Duration or a Quantity.',
  },
  'schema/pattern-delimiters': {
    level: 'warning',
    title: 'A pattern in delimiters',
    explain:
      'A pattern is the expression alone. The slashes of JavaScript or the quotes around `/^a$/` count as characters of the text, and since no character comes before the start of a text, such a pattern matches nothing.',
  },
  'schema/map-of-objects': {
    level: 'warning',
    title: 'A map of objects',
    explain:
      "The API conventions prefer a list of named objects to a map: the keys of a map are data without a name of their own. Use `ListMap<T, 'name'>`; with the field `name` in T it merges in the same way.",
  },
  'schema/float': {
    level: 'warning',
    title: 'A floating point number',
    explain:
      "The API conventions discourage floating point numbers: they do not survive all languages' round trips. Use integers of a smaller unit, or Quantity.",
  },
  'schema/int64-maximum': {
    level: 'warning',
    title: 'A 64-bit integer without a safe maximum',
    explain:
      'JavaScript is exact only up to 9007199254740991 (2^53-1). `@maximum 9007199254740991` keeps greater values out of the API.',
  },
  'schema/module-imports': {
    title: 'The module of a schema imports something else',
    explain:
      'A schema of zod, valibot or arktype is read by running its module, by itself and without files, network and environment. So it is an exported constant of a module that imports nothing but its library and other modules like it. Types may be imported from anywhere with `import type`.',
  },
  'schema/outside-project': {
    title: 'A source leads out of the project',
    explain:
      'Manifests are made from sources, and are published. So values come from files of the project alone, wherever links lead, and types also from the repository that the project is part of and from installed packages. A schema of zod, valibot or arktype is made of modules of the project and of packages in its node_modules: a file elsewhere, a path that climbs out of a package, or a package that is a link to some other folder, is not read.',
  },
  'schema/unreadable-schema': {
    title: 'The schema of a library cannot be read',
    explain:
      'The module of the schema does not load, does not end, or exports something that is not a schema with JSON Schema: the Standard JSON Schema interface is in zod 4.2, arktype 2.1.28, and for valibot in @valibot/to-json-schema 1.5 and newer. The message says what is wrong.',
  },
  'schema/lost-rule': {
    title: 'A schema says something that JSON Schema does not hold',
    explain:
      'Refinements, transformations, coercions, fallbacks and flags of regular expressions run in the library alone. The CRD would be without them: the API server would store values that the schema refuses, or that are not what the type says. CEL rules say across fields what JSON Schema cannot.',
  },
  'schema/unsupported-keyword': {
    title: 'A keyword of JSON Schema has no counterpart in a CRD',
    explain:
      'A structural schema knows fewer keywords than JSON Schema. Leaving one out would let values pass that the schema refuses, so it is an error. A CEL rule in `x-kubernetes-validations` often says the same.',
  },
  'schema/unknown-format': {
    title: 'A format that the API server does not know',
    explain:
      'The API server ignores formats that it does not know, and reads durations as Go does. Where a library gives a regular expression beside the name of a format, the expression is used.',
  },
  'schema/invalid-schema': {
    title: 'The API server would refuse the schema',
    explain:
      'The schema is checked as the API server checks it: a default must be a valid value, and what `x-kubernetes-…` keywords demand must be there.',
  },
} satisfies ExplainedCodes;
