import type { JSONSchemaProps, JsonValue } from '../../kubernetes/crd/index.ts';
import { embeddedAnything, fixedUtilityTypes } from '../schema/index.ts';
import { fieldSetsOf, tableNamesEverOf, tableSchema } from '../../kubernetes/tables/index.ts';
import { knownObjectType, embeddedFiles, FEWEST_PARTS, fieldNames, parts } from './known-types.ts';
import type { Declaration, Field, TagLine, TypeExpression, Use } from './model.ts';
import { k8sTag, planTags, sameJson } from './plan-tags.ts';

interface PlanOptions {
  /** True for types that only people and compilers read. They do not get the tags from which a CRD is generated. */
  readonly clientOnly: boolean;
}

/** TypeScript type of a node, and the schema that the generator makes from this type alone. */
interface Base {
  readonly type: TypeExpression;
  readonly gives: JSONSchemaProps;
  /** Set if an interface is declared for the node. Most tags are then written above the interface, not above the field that uses it. */
  readonly declares?: Pick<Declaration, 'fields' | 'knownAs'>;
  /** True if the type is only an approximation, so that the entire schema of the node is written into a `@k8s` tag. */
  readonly isNear?: true;
}

const QUANTITY = fixedUtilityTypes['Quantity']?.() ?? {};
const INT_OR_STRING = fixedUtilityTypes['IntOrString']?.() ?? {};

/**
 * Converts schemas to types and tags from which the same schemas can be generated. Use one planner for each group, so that objects that
 * would be printed identically are declared only once.
 */
export class Planner {
  readonly #clientOnly: PlanOptions['clientOnly'];
  readonly #interned = new Map<string, Declaration>();
  readonly #numbers = new Map<Declaration, number>();

  constructor({ clientOnly }: PlanOptions) {
    this.#clientOnly = clientOnly;
  }

  /** Plans the type and the tags of a field, a list item or a record value. */
  use(schema: JSONSchemaProps): Use {
    return this.#use(schema);
  }

  /** Plans the fields of an object, without the tags of the object itself. */
  fields(schema: JSONSchemaProps): readonly Field[] {
    return this.#fields(schema);
  }

  /** @param expected name of the built-in type that this field has in the recognised built-in type around it */
  #use(schema: JSONSchemaProps, expected?: string): Use {
    const { description, nullable, ...wanted } = schema;
    const base = this.#baseOf(wanted, description !== undefined, expected) ?? replaced(wanted);
    const shown = description === undefined ? {} : { description };
    const isNull = nullable === true;
    if (this.#clientOnly) {
      const open =
        wanted['x-kubernetes-preserve-unknown-fields'] === true || wanted.additionalProperties === true;
      const type = base.declares === undefined ? base.type : this.#declared(base.declares, [], open);
      return { type, nullable: isNull, ...shown, tags: [] };
    }
    return this.#finished(base, wanted, isNull, shown);
  }

  #finished(
    base: Base,
    wanted: JSONSchemaProps,
    isNull: boolean,
    shown: { readonly description?: string },
  ): Use {
    // The API server rejects null for this enumeration. Therefore write a tag, so that the type does not allow null.
    const byTag = isNull && wanted.enum !== undefined;
    const nullability: readonly TagLine[] = byTag ? [{ name: 'nullable', text: '' }] : [];
    const fromType = isNull ? { ...base.gives, nullable: true } : base.gives;
    const { tags, rest } = planTags(wanted, fromType);
    const nullable = isNull && !byTag;
    if (base.isNear === true)
      return { type: base.type, nullable, ...shown, tags: [...nullability, ...k8sTag(wanted)] };
    if (base.declares === undefined)
      return { type: base.type, nullable, ...shown, tags: [...nullability, ...tags, ...k8sTag(rest)] };
    const isOfUse = (tag: TagLine): boolean =>
      ofTheUse.has(tag.name) || (tag.name === 'immutable' && !tags.some(({ name }) => name === 'cel'));
    const restOfUse = Object.fromEntries(Object.entries(rest).filter(([name]) => ofTheUse.has(name)));
    const restOfType = Object.fromEntries(Object.entries(rest).filter(([name]) => !ofTheUse.has(name)));
    const typeTags = [...tags.filter((tag) => !isOfUse(tag)), ...k8sTag(restOfType)];
    return {
      type: this.#declared(base.declares, typeTags, false),
      nullable,
      ...shown,
      tags: [...nullability, ...tags.filter(isOfUse), ...k8sTag(restOfUse)],
    };
  }

  #baseOf(wanted: JSONSchemaProps, described: boolean, expected?: string): Base | undefined {
    if (wanted['x-kubernetes-int-or-string'] === true) return intOrStringBase(wanted);
    switch (wanted.type) {
      case undefined:
        return wanted['x-kubernetes-preserve-unknown-fields'] === true ? utility('Json') : undefined;
      case 'string':
      case 'boolean':
      case 'integer':
      case 'number':
        return enumBase(wanted) ?? scalarBase(wanted);
      case 'array':
        return this.#listBase(wanted, expected);
      case 'object':
        return this.#objectBase(wanted, described, expected);
      default:
        return undefined;
    }
  }

  #listBase(wanted: JSONSchemaProps, expected?: string): Base | undefined {
    const { items } = wanted;
    if (typeof items !== 'object' || Array.isArray(items)) return undefined;
    const planned = this.#use(items, expected);
    const gives: JSONSchemaProps = { type: 'array', items };
    const listType = wanted['x-kubernetes-list-type'];
    const keys = wanted['x-kubernetes-list-map-keys'] ?? [];
    if (listType === 'map' && keys.length > 0 && hasFields(planned.type, items, keys)) {
      const type: TypeExpression = { kind: 'list', items: planned, list: { utility: 'ListMap', keys } };
      return {
        type,
        gives: { ...gives, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [...keys] },
      };
    }
    if (listType === 'set' || listType === 'atomic') {
      const utilityName = listType === 'set' ? 'ListSet' : 'AtomicList';
      const type: TypeExpression = { kind: 'list', items: planned, list: { utility: utilityName } };
      return { type, gives: { ...gives, 'x-kubernetes-list-type': listType } };
    }
    return { type: { kind: 'list', items: planned }, gives };
  }

  #objectBase(wanted: JSONSchemaProps, described: boolean, expected?: string): Base | undefined {
    const { properties, additionalProperties } = wanted;
    if (properties !== undefined && Object.keys(properties).length > 0) {
      // The schema engine would mistake the quotes in such a name for the quotes around a name in the source.
      if (Object.keys(properties).some((name) => /^(['"])[^]*\1$/.test(name))) return undefined;
      const known = knownObjectType(wanted);
      // If the schema lacks a description, do not use a type that has one, because it would appear in the CRD.
      if (known !== undefined && (described || known.description === undefined)) {
        const { name, from } = known;
        return { type: { kind: 'name', name, from }, gives: withoutUse(wanted) };
      }
      const required = (wanted.required ?? []).filter((name) => Object.hasOwn(properties, name));
      const gives: JSONSchemaProps = { type: 'object', properties };
      if (required.length > 0) gives.required = [...new Set(required)];
      return { type: json, gives, declares: this.#planned(wanted, expected) };
    }
    if (typeof additionalProperties === 'object') {
      const atomic = wanted['x-kubernetes-map-type'] === 'atomic';
      return {
        type: { kind: 'record', values: this.#use(additionalProperties, expected), atomic },
        gives: {
          type: 'object',
          additionalProperties,
          ...(atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
        },
      };
    }
    if (additionalProperties !== undefined) return undefined;
    if (wanted['x-kubernetes-preserve-unknown-fields'] !== true) return utility('EmptyObject');
    if (wanted['x-kubernetes-embedded-resource'] !== true) return utility('RawExtension');
    return { type: { kind: 'name', name: 'EmbeddedResource', from: 'opsdk' }, gives: embeddedAnything() };
  }

  #planned(schema: JSONSchemaProps, expected?: string): Pick<Declaration, 'fields' | 'knownAs'> {
    const known = recognisedType(schema, expected);
    return {
      fields: this.#fields(schema, known),
      knownAs: known === undefined ? undefined : typeNameOf(known),
    };
  }

  #fields(schema: JSONSchemaProps, known?: string): readonly Field[] {
    return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
      name,
      required: schema.required?.includes(name) === true,
      use: this.#use(property, known === undefined ? undefined : typeOfField(known, name)),
    }));
  }

  #declared(
    { fields: own, knownAs }: Pick<Declaration, 'fields' | 'knownAs'>,
    tags: readonly TagLine[],
    open: boolean,
  ): TypeExpression & { kind: 'declared' } {
    const key = JSON.stringify([
      own.map((field) => [field.name, field.required, this.#keyOf(field.use)]),
      tags,
      open,
    ]);
    const known = this.#interned.get(key);
    if (known !== undefined) return { kind: 'declared', declaration: known };
    const declaration: Declaration = { fields: own, tags, open, knownAs };
    this.#interned.set(key, declaration);
    this.#numbers.set(declaration, this.#numbers.size);
    return { kind: 'declared', declaration };
  }

  #keyOf({ type, nullable, description, tags }: Use): unknown {
    return [this.#keyOfType(type), nullable, description ?? null, tags];
  }

  #keyOfType(type: TypeExpression): unknown {
    switch (type.kind) {
      case 'list':
        return ['list', type.list ?? null, this.#keyOf(type.items)];
      case 'record':
        return ['record', type.atomic, this.#keyOf(type.values)];
      case 'declared':
        return this.#numbers.get(type.declaration) ?? null;
      case 'name':
      case 'literals':
        return type;
    }
  }
}

const json: TypeExpression = { kind: 'name', name: 'Json', from: 'opsdk' };

/** Tags and keywords that concern a single use of a type, not the type itself. */
const ofTheUse: ReadonlySet<string> = new Set(['default', 'example', 'title', 'externalDocs']);

function withoutUse(schema: JSONSchemaProps): JSONSchemaProps {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !ofTheUse.has(name)));
}

/** Returns the closest correct type for a node that TypeScript types cannot express. The schema of the node is written as a `@k8s` tag. */
function replaced(wanted: JSONSchemaProps): Base {
  const isIntOrString = wanted['x-kubernetes-int-or-string'] === true;
  // A `@k8s` tag may replace the schema of a type only if that type is of another kind, or if the tag gives the schema of the values.
  const isOpen = wanted.type === 'object' && wanted.additionalProperties !== undefined;
  const name = isIntOrString ? 'IntOrString' : isOpen ? 'RawExtension' : 'Json';
  return { ...utility(name), isNear: true };
}

function utility(name: string): Base {
  return { type: { kind: 'name', name, from: 'opsdk' }, gives: fixedUtilityTypes[name]?.() ?? {} };
}

function isSame(left: unknown, right: unknown): boolean {
  return sameJson(left as JsonValue | undefined, right as JsonValue | undefined);
}

function intOrStringBase(wanted: JSONSchemaProps): Base | undefined {
  const { anyOf, type, pattern } = wanted;
  if (type !== undefined || !isSame(anyOf, INT_OR_STRING.anyOf)) return undefined;
  return utility(pattern === QUANTITY.pattern ? 'Quantity' : 'IntOrString');
}

const formats: Readonly<Record<string, string>> = {
  'string date-time': 'DateTime',
  'string duration': 'Duration',
  'string byte': 'Base64',
  'integer int32': 'Int32',
  'integer int64': 'Int64',
  'number float': 'Float32',
  'number double': 'Double',
};

function scalarBase({ type = '', format = '' }: JSONSchemaProps): Base {
  const name = formats[`${type} ${format}`];
  if (name !== undefined) return utility(name);
  if (type === 'integer') return utility('Integer');
  if (type === 'number') return utility('Float');
  return { type: { kind: 'name', name: type }, gives: { type } };
}

/** Returns a union of literal types that is equivalent to an enumeration; undefined if this is not possible. */
function enumBase({ type = '', enum: values }: JSONSchemaProps): Base | undefined {
  if (values === undefined || values.length === 0 || new Set(values).size < values.length) return undefined;
  const isSayable = (value: JsonValue): value is string | number | boolean => {
    if (type === 'integer') return Number.isSafeInteger(value) && (value as number) >= 0;
    // The union `true | false` would become the type `boolean`. Literals of the type `number` cannot be used, because whole numbers would
    // make the type an integer.
    if (type === 'boolean') return typeof value === 'boolean' && values.length === 1;
    return type === 'string' && typeof value === 'string';
  };
  if (!values.every(isSayable)) return undefined;
  return { type: { kind: 'literals', values }, gives: { type, enum: [...values] } };
}

/** Returns true if all keys of a list are fields in the TypeScript type of the list's items. */
function hasFields(type: TypeExpression, items: JSONSchemaProps, keys: readonly string[]): boolean {
  const isObject = type.kind === 'declared' || (type.kind === 'name' && items.properties !== undefined);
  return isObject && keys.every((key) => Object.hasOwn(items.properties ?? {}, key));
}

/** Names of types of API server responses, which kinds do not embed. */
const notEmbedded = /\.(?:Status|StatusDetails|StatusCause)$/;

let index: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * Returns the built-in type that an object corresponds to, in the form of any Kubernetes release and any version of controller-gen. Only
 * the name of the type is used, because its current schema may differ in descriptions, list types, defaults, and nested fields.
 *
 * @param expected type of this field in the enclosing object, if the type of that object is recognised
 * @returns the name of the type in the table; undefined if zero or several types have these fields
 */
function recognisedType(schema: JSONSchemaProps, expected?: string): string | undefined {
  const fields = fieldNames(schema.properties);
  if (expected !== undefined && fieldSetsOf(expected).includes(fields)) return expected;
  if (parts(schema) < FEWEST_PARTS || !fields.includes(' ')) return undefined;
  index ??= createIndex();
  const [only, second] = (index.get(fields) ?? []).filter((name) => isAlike(schema, name));
  return second === undefined ? only : undefined;
}

/**
 * Returns the type of a field of a recognised type, or of the field's items or values. Returns undefined for scalars, and for fields that
 * the current version of the type does not have.
 */
function typeOfField(name: string, field: string): string | undefined {
  const { properties = {} } = tableSchema(name) ?? {};
  let schema = Object.hasOwn(properties, field) ? properties[field] : undefined;
  while (schema !== undefined && schema.$ref === undefined)
    schema = schema.items ?? schema.additionalProperties;
  return schema?.$ref;
}

/** Returns the short name of a type: `PodSpec` for `io.k8s.api.core.v1.PodSpec`. */
function typeNameOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function createIndex(): ReadonlyMap<string, readonly string[]> {
  const map = new Map<string, string[]>();
  for (const name of embeddedFiles.flatMap(tableNamesEverOf)) {
    if (notEmbedded.test(name)) continue;
    for (const fields of fieldSetsOf(name)) map.set(fields, [...(map.get(fields) ?? []), name]);
  }
  return map;
}

/** Returns true if each field that the current built-in type also has is of the same type there. */
function isAlike({ properties = {} }: JSONSchemaProps, name: string): boolean {
  const known = tableSchema(name)?.properties ?? {};
  return Object.entries(properties).every(([field, { type }]) => {
    const wanted = Object.hasOwn(known, field) ? known[field] : undefined;
    if (wanted === undefined || type === undefined) return true;
    return wanted.$ref === undefined ? wanted.type === type : isReferenceTo(wanted.$ref, type);
  });
}

function isReferenceTo(name: string, type: string): boolean {
  const referred = tableSchema(name);
  return referred?.type === undefined || referred.type === type;
}
