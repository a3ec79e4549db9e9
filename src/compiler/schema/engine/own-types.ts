import type ts from 'typescript';
import { tableNameOf } from '../../../kubernetes/tables/index.ts';
import { embeddedAnything, fixedUtilityTypes, builtInSchema, type BuiltIn } from '../utility-types.ts';
import { ownPath } from '../../source/index.ts';
import type { Adjustment, ChoiceName } from '../shape.ts';
import type { JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import { keysOf } from './mapped-whole.ts';
import { anyType } from './refusals.ts';
import type { EngineContext, EngineParser, EngineType, ParserContext } from './types.ts';

/** Names of the utility types that equal their first type argument but adjust its schema, each with the kind of adjustment. */
const adjustingUtilityTypes: Readonly<Record<string, Adjustment['kind']>> = {
  AtomicMap: 'atomic',
  AtomicObject: 'atomic',
  EmbeddedResource: 'embedded',
  ExactlyOneOf: 'choice',
  AtMostOneOf: 'choice',
  AtLeastOneOf: 'choice',
};

/** Names of the utility types that are lists, each with its list type. Their items have the type of the first type argument. */
const listUtilityTypes: Readonly<Record<string, 'map' | 'set' | 'atomic'>> = {
  ListMap: 'map',
  ListSet: 'set',
  AtomicList: 'atomic',
};

type Declaration = ts.TypeAliasDeclaration | ts.InterfaceDeclaration;

const resourceBases = new Set(['CustomResource', 'KubeObject']);
const builtIns = 'sdk/k8s/generated/';
/**
 * Files of the metadata types, which this package itself declares. `declaredIn` is the file that declares them; `file` is the file in
 * `opsdk/k8s` with the same types.
 */
const metadataTypes = { declaredIn: 'sdk/api/meta', file: 'meta/v1' };

/** Parser for the types that this package declares: utility types, the base type of resources, and the built-in Kubernetes types. */
export function ownTypeParser(context: ParserContext): EngineParser {
  const { ts } = context.source;
  const isDeclaration = (node: ts.Node): node is Declaration =>
    ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);
  return {
    supportsNode: (node) => isDeclaration(node) && isOwn(node),
    createType: (node, engineContext) => {
      const declaration = node as Declaration;
      const path = ownPath(declaration.getSourceFile().fileName) ?? '';
      return path.startsWith(builtIns)
        ? builtInType(context, declaration, path.slice(builtIns.length))
        : isInTable(path, declaration.name.text)
          ? builtInType(context, declaration, metadataTypes.file)
          : utilityType(context, declaration, engineContext);
    },
  };
}

function isOwn(node: Declaration): boolean {
  const path = ownPath(node.getSourceFile().fileName);
  if (path === undefined) return false;
  const name = node.name.text;
  return (
    path.startsWith(builtIns) ||
    Object.hasOwn(fixedUtilityTypes, name) ||
    Object.hasOwn(listUtilityTypes, name) ||
    Object.hasOwn(adjustingUtilityTypes, name) ||
    resourceBases.has(name) ||
    isInTable(path, name)
  );
}

/** Returns true if a type that this package declares is described by the table of built-in Kubernetes types. */
function isInTable(path: string, name: string): boolean {
  return path === metadataTypes.declaredIn && tableNameOf(metadataTypes.file, name) !== undefined;
}

/**
 * Cached schemas of built-in types. The key consists of the file, the name, and true if descriptions are kept. They are cached because a
 * Pod template has thousands of nodes. Each CRD gets its own copy of a schema.
 */
const builtInSchemas = new Map<string, BuiltIn>();

function builtInOf(file: string, name: string, descriptions: boolean): BuiltIn {
  const key = `${file} ${name} ${descriptions}`;
  const found = builtInSchemas.get(key) ?? builtInSchema(file, name, descriptions);
  builtInSchemas.set(key, found);
  return found;
}

function builtInType(context: ParserContext, node: Declaration, file: string): EngineType {
  const name = node.name.text;
  const found = builtInOf(file, name, context.embeddedDescriptions);
  if ('schema' in found) return knownType(context, `k8s:${file}:${name}`, name, found.schema);
  return context.refused(undefined, { code: found.code, message: found.message, fix: [found.fix] });
}

function utilityType(context: ParserContext, node: Declaration, engineContext: EngineContext): EngineType {
  const name = node.name.text;
  if (resourceBases.has(name)) return context.opaque(name, { kind: 'resourceBase' });
  const list = listUtilityTypes[name];
  if (list !== undefined) return listType(context, node, engineContext, list);
  const adjustment = adjustingUtilityTypes[name];
  if (adjustment !== undefined) return adjustedType(context, name, engineContext, adjustment);
  const schema = fixedUtilityTypes[name]?.();
  if (schema === undefined) throw new TypeError(`no schema for ${name}`);
  return knownType(context, name, name, schema);
}

function listType(
  context: ParserContext,
  node: Declaration,
  engineContext: EngineContext,
  list: 'map' | 'set' | 'atomic',
): EngineType {
  const { engine } = context;
  const [items, key] = engineContext.getArguments();
  if (items === undefined) return context.refused(node, anyType(node.name.text));
  const keys = key === undefined ? [] : literalsOf(context, key);
  const id = `${node.name.text}<${items.getId()},${keys.join('|')}>`;
  const kind = list === 'map' ? { type: list, keys } : { type: list };
  return context.opaque(id, { kind: 'list', items, list: kind }, new engine.ArrayType(items));
}

function adjustedType(
  context: ParserContext,
  name: string,
  engineContext: EngineContext,
  kind: Adjustment['kind'],
): EngineType {
  const { engine } = context;
  const [argument, keys] = engineContext.getArguments();
  if (argument === undefined) {
    return kind === 'embedded'
      ? context.opaque(name, { kind: 'fixed', name, schema: embeddedAnything() })
      : context.refused(undefined, anyType(name));
  }
  const fields = keys === undefined ? undefined : literalsOf(context, keys);
  const id = `${name}<${argument.getId()},${fields?.join('|') ?? ''}>`;
  const inner = name === 'AtomicMap' ? new engine.ObjectType(`${id}-record`, [], [], argument) : argument;
  return context.opaque(id, { kind: 'adjusted', inner, adjustment: adjustmentOf(kind, name, fields) }, inner);
}

function adjustmentOf(
  kind: Adjustment['kind'],
  name: string,
  fields: readonly string[] | undefined,
): Adjustment {
  if (kind === 'choice') return { kind, name: name as ChoiceName, fields };
  return kind === 'atomic' ? { kind, name } : { kind, name, isResource: false };
}

function literalsOf(context: ParserContext, type: EngineType): string[] {
  return keysOf(context, type).names.map((name) => String(name.getValue()));
}

/**
 * Creates a type whose schema is known: a utility type, a built-in type, or a part of one. The engine gets the content of the type only on
 * demand. This makes `PodSpec['containers']`, `Pick<PodSpec, …>` and `keyof PodSpec` work.
 *
 * @param id unique id of the type
 * @param name name of the type in messages
 */
function knownType(context: ParserContext, id: string, name: string, schema: JSONSchemaProps): EngineType {
  let inside: EngineType | undefined;
  return context.opaque(
    id,
    { kind: 'fixed', name, schema },
    () => (inside ??= insideOf(context, id, name, schema)),
  );
}

function insideOf(context: ParserContext, id: string, name: string, schema: JSONSchemaProps): EngineType {
  const { engine } = context;
  const part = (key: string, of: JSONSchemaProps): EngineType =>
    knownType(context, `${id}.${key}`, `${name}.${key}`, of);
  if (schema['x-kubernetes-int-or-string'] === true)
    return new engine.UnionType([new engine.NumberType(), new engine.StringType()]);
  switch (schema.type) {
    case 'string':
      return new engine.StringType();
    case 'boolean':
      return new engine.BooleanType();
    case 'integer':
    case 'number':
      return new engine.NumberType();
    case 'array':
      return new engine.ArrayType(part('items', schema.items ?? {}));
    case 'object': {
      const { properties = {}, required = [], additionalProperties: values } = schema;
      if (typeof values === 'object') return new engine.ObjectType(id, [], [], part('values', values));
      if (schema.properties === undefined) return new engine.AnyType();
      const fields = Object.entries(properties).map(
        ([key, of]) => new engine.ObjectProperty(key, part(key, of), required.includes(key)),
      );
      return new engine.ObjectType(id, [], fields, false);
    }
    case undefined:
    default:
      return new engine.AnyType();
  }
}
