import type { Problem } from '../shape.ts';

const ownIds = / in type "[^"]*(?:node-\d+|opsdk-)[^"]*"/g;

export type Refusal = Omit<Problem, 'at'>;

const useJson =
  "use Json (any value) or JsonObject (any object) from 'opsdk' to keep unknown fields, or write out the fields";

export const anyType = (text: string): Refusal => ({
  code: 'schema/any-type',
  message: `expected a type that describes the value, got \`${text}\``,
  fix: [useJson],
});

export const emptyObject = (text: string): Refusal => ({
  code: 'schema/any-type',
  message: `\`${text}\` has no fields: the API server would drop everything that is in it`,
  fix: [useJson, "or EmptyObject from 'opsdk', if nothing shall be in it"],
});

export const notJson = (text: string, fix: string): Refusal => ({
  code: 'schema/not-json',
  message: `\`${text}\` cannot be represented in JSON`,
  fix: [fix],
});

export const unsupported = (message: string, fix: string): Refusal => ({
  code: 'schema/unsupported-type',
  message,
  fix: [fix],
});

/** @param what part that differs between the declarations, such as `its description` or `its @minLength` */
export const declaredTwice = (name: string, what: string): Refusal =>
  unsupported(
    `\`${name}\` is declared more than once, and ${what} is not the same everywhere`,
    'say it in one of the declarations only',
  );

/** @param label label of the alias whose tags would be lost */
export const tagsTakenApart = (label: string): Refusal =>
  unsupported(
    `the tags of ${label} would be lost: the type is taken apart and put together again`,
    `put the tags of ${label} on the field that uses it`,
  );

export const unresolved = (name: string): Refusal => ({
  code: 'schema/unresolved-type',
  message: `cannot find the type \`${name}\``,
  fix: ['import or declare it; check the name for a typing error'],
});

/** @param message error message of the engine; it contains the ids that this package assigns to types */
export const engineFailure = (message: string): Refusal => ({
  code: 'schema/unsupported-type',
  message: `this type cannot be read: ${message.charAt(0).toLowerCase()}${message.slice(1).replace(ownIds, '')}`,
  fix: ['write the type out as an interface'],
});

export const notUnderstood = unsupported(
  'the type expression is not understood',
  'write the type out as an interface',
);

export const recursive = (name: string): Refusal => ({
  code: 'schema/recursive-type',
  message: `the type refers to itself${name === '' ? '' : ` (${name})`}; a schema of a CRD must be finite`,
  fix: [
    'write out as many levels as you need',
    'or cut the type at a field: `@k8s {"type": "object", "x-kubernetes-preserve-unknown-fields": true}` on the field',
  ],
});

export const stringKeys: Refusal = {
  code: 'schema/record-key',
  message: 'expected strings as the keys of an object, as in JSON, got another type',
  fix: ['use Record<string, …>'],
};

export const templateKeys: Refusal = {
  code: 'schema/record-key',
  message:
    'expected plain strings as the keys of an object, got a template literal type: a schema cannot constrain keys',
  fix: ['use Record<string, …> and a rule on the field: `@cel self.all(key, key.matches("…")) : "…"`'],
};

export const functionType = (text: string): Refusal => notJson(text, 'remove it from the API type');

/** Interfaces of the standard library and of Node that have no JSON form. Each has advice on the type to write instead. */
export const globalTypeFixes: Readonly<Record<string, string>> = {
  Map: 'use Record<string, …>',
  ReadonlyMap: 'use Record<string, …>',
  WeakMap: 'use Record<string, …>',
  Set: "use ListSet<…> from 'opsdk'",
  ReadonlySet: "use ListSet<…> from 'opsdk'",
  WeakSet: "use ListSet<…> from 'opsdk'",
  Date: "use DateTime from 'opsdk': on the wire a time is a string",
  RegExp: 'use string',
  URL: 'use string with `@format uri`',
  Promise: 'use the type inside the Promise',
  PromiseLike: 'use the type inside the Promise',
  ArrayBuffer: "use Base64 from 'opsdk'",
  Buffer: "use Base64 from 'opsdk'",
  Uint8Array: "use Base64 from 'opsdk'",
  BigInt: "use Int64 from 'opsdk'",
  Boolean: 'use boolean',
  Number: "use Int32 or Int64 from 'opsdk'",
  String: 'use string',
  Object: useJson,
};
