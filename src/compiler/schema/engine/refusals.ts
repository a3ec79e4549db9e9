import type ts from 'typescript';
import type { Problem } from '../shape.ts';

const ownIds = / in type "[^"]*(?:node-\d+|opsdk-)[^"]*"/g;

export type Refusal = Omit<Problem, 'at'>;

const useJson =
  "use Json (any value) or JsonObject (any object) from 'opsdk' to keep unknown fields, or write out the fields";

export const anyType = (text: string): Refusal => ({
  code: 'schema/any-type',
  message: `\`${text}\` says nothing about the value`,
  fix: [useJson],
});

export const emptyObject = (text: string): Refusal => ({
  code: 'schema/any-type',
  message: `\`${text}\` has no fields: the API server would drop everything that is in it`,
  fix: [useJson, "or EmptyObject from 'opsdk', if nothing shall be in it"],
});

export const notJson = (text: string, fix: string): Refusal => ({
  code: 'schema/not-json',
  message: `\`${text}\` has no form in JSON`,
  fix: [fix],
});

export const unsupported = (message: string, fix: string): Refusal => ({
  code: 'schema/unsupported-type',
  message,
  fix: [fix],
});

/** @param what is said differently: `its description`, `its @minLength` */
export const declaredTwice = (name: string, what: string): Refusal =>
  unsupported(
    `\`${name}\` is declared more than once, and ${what} is not the same everywhere`,
    'say it in one of the declarations only',
  );

/** @param label of the alias whose tags have no place any more */
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

export const unresolvedImport = (name: string, specifier: string): Refusal => ({
  code: 'schema/unresolved-type',
  message: `cannot find the type \`${name}\`: the import of '${specifier}' has no such type or does not resolve`,
  fix: [
    'correct the import, install the package it names, or check `paths` and `moduleResolution` in tsconfig.json',
  ],
});

/** @param message of the engine, which knows our types by the ids that we gave them */
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
    'or cut it: `@k8s {"type": "object", "x-kubernetes-preserve-unknown-fields": true}` on the field',
  ],
});

export const tooDeep = (name: string, levels: number): Refusal => ({
  code: 'schema/recursive-type',
  message: `more than ${levels} types stand inside of one another${name === '' ? '' : `, down to ${name}`}`,
  fix: [
    'give the type fewer levels',
    'or cut it: `@k8s {"type": "object", "x-kubernetes-preserve-unknown-fields": true}` on the field',
  ],
});

export const tooManyMembers = (members: number, most: number): Refusal => ({
  code: 'schema/too-large',
  message: `expected an intersection of unions with at most ${most} combinations of their members, got ${members}`,
  fix: ['make each union a field of its own', 'or write out the members that you need'],
});

export const tooManyMappedFields = (most: number): Refusal => ({
  code: 'schema/too-large',
  message: `mapped types (Partial, Record, …) inside of one another make more than ${most} fields`,
  fix: ['use them with fewer names, or write the type out'],
});

export const stringKeys: Refusal = {
  code: 'schema/record-key',
  message: 'the keys of an object in JSON are strings',
  fix: ['use Record<string, …>'],
};

export const templateKeys: Refusal = {
  code: 'schema/record-key',
  message: 'a template literal as the keys of an object: a schema cannot constrain keys',
  fix: ['use Record<string, …> and a rule on the field: `@cel self.all(key, key.matches("…")) : "…"`'],
};

export const taggedKeys: Refusal = {
  code: 'schema/record-key',
  message: 'the constraints of a key type have no place in a schema',
  fix: ['use Record<string, …> and a rule on the field: `@cel self.all(key, key.matches("…")) : "…"`'],
};

export const tupleType = (text: string): Refusal => ({
  code: 'schema/tuple',
  message: `\`${text}\` is a tuple; Kubernetes knows only lists whose items are all of one type`,
  fix: ['use an array, or an interface with named fields'],
});

export const functionType = (text: string): Refusal => notJson(text, 'remove it from the API type');

export const inferredTemplate: Refusal = unsupported(
  'the texts of an inferred template literal are not known',
  'declare the type, or use string with a `@pattern`',
);

/** Types of the language that have no JSON form, by the kind of their syntax node. */
export function keywordRefusals(
  typescript: typeof ts,
): ReadonlyMap<ts.SyntaxKind, (text: string) => Refusal> {
  const { SyntaxKind } = typescript;
  return new Map([
    [SyntaxKind.AnyKeyword, anyType],
    [SyntaxKind.UnknownKeyword, anyType],
    [SyntaxKind.ObjectKeyword, emptyObject],
    [SyntaxKind.SymbolKeyword, (text) => notJson(text, 'use string')],
    [
      SyntaxKind.BigIntKeyword,
      (text) => notJson(text, "use Int64 from 'opsdk', with a `@maximum` of at most 9007199254740991"),
    ],
    [SyntaxKind.VoidKeyword, (text) => notJson(text, 'make the field optional: `name?: …`')],
    [SyntaxKind.ConstructorType, functionType],
    [SyntaxKind.TypePredicate, functionType],
    [SyntaxKind.ThisType, () => recursive('this')],
    [
      SyntaxKind.ClassDeclaration,
      () =>
        unsupported(
          'a class describes behaviour as well as data',
          'declare an interface with the same fields',
        ),
    ],
  ]);
}

/** Interfaces of the standard library and of Node that are not JSON, with what to write instead. */
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
