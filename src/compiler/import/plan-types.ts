import type { JSONSchemaProps, JsonValue } from '../../kubernetes/crd/index.ts';
import { embeddedAnything, fixedUtilityTypes } from '../schema/index.ts';
import { fieldSetsOf, tableNamesEverOf, tableSchema } from '../../kubernetes/tables/index.ts';
import { knownObjectType, embeddedFiles, FEWEST_PARTS, fieldNames, parts } from './known-types.ts';
import type { Declaration, Field, TagLine, TypeExpression, Use } from './model.ts';
import { k8sTag, planTags, sameJson } from './plan-tags.ts';

interface PlanOptions {
  /** True for types that people and compilers read, without the tags that a CRD is generated from. */
  readonly clientOnly: boolean;
}

/** The type of a node, and the schema that the generator makes of that type alone. */
interface Base {
  readonly type: TypeExpression;
  readonly gives: JSONSchemaProps;
  /** Set if the node has an interface of its own: most tags belong to the interface, not to its use. */
  readonly declares?: Pick<Declaration, 'fields' | 'knownAs'>;
  /** True if the type is only an approximation: the entire node goes into a `@k8s` tag. */
  readonly isNear?: true;
}

const QUANTITY = fixedUtilityTypes['Quantity']?.() ?? {};
const INT_OR_STRING = fixedUtilityTypes['IntOrString']?.() ?? {};

/** Turns schemas into types and tags that give them back. One per group: objects that would be printed alike are declared once. */
export class Planner {
  readonly #clientOnly: PlanOptions['clientOnly'];
  readonly #interned = new Map<string, Declaration>();
  readonly #numbers = new Map<Declaration, number>();

  constructor({ clientOnly }: PlanOptions) {
    this.#clientOnly = clientOnly;
  }

  /** Plans a field, an item or a value. */
  use(schema: JSONSchemaProps): Use {
    return this.#use(schema);
  }

  /** Plans the fields of an object, without its tags. */
  fields(schema: JSONSchemaProps): readonly Field[] {
    return this.#fields(schema);
  }

  /** @param expected the built-in type that the enclosing type has at this place */
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
    // The API server rejects null for an enumeration; the type must not allow it.
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
      // The engine would mistake the quotes of such a name for those of the source.
      if (Object.keys(properties).some((name) => /^(['"])[^]*\1$/.test(name))) return undefined;
      const known = knownObjectType(wanted);
      // The type's own description would appear where the schema has none.
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

/** Tags and keywords that describe the use of a type in one place. */
const ofTheUse: ReadonlySet<string> = new Set(['default', 'example', 'title', 'externalDocs']);

function withoutUse(schema: JSONSchemaProps): JSONSchemaProps {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !ofTheUse.has(name)));
}

/** A node that no type can express: it is written as a `@k8s` tag, and the type is the closest correct one. */
function replaced(wanted: JSONSchemaProps): Base {
  const isIntOrString = wanted['x-kubernetes-int-or-string'] === true;
  // The tag takes the place of a type of another kind, or where it says what the values are.
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

/** Returns a union of literals if it is equivalent to the enumeration. */
function enumBase({ type = '', enum: values }: JSONSchemaProps): Base | undefined {
  if (values === undefined || values.length === 0 || new Set(values).size < values.length) return undefined;
  const isSayable = (value: JsonValue): value is string | number | boolean => {
    if (type === 'integer') return Number.isSafeInteger(value) && (value as number) >= 0;
    // Both boolean values together are the type `boolean`, and a whole number would make the type an integer.
    if (type === 'boolean') return typeof value === 'boolean' && values.length === 1;
    return type === 'string' && typeof value === 'string';
  };
  if (!values.every(isSayable)) return undefined;
  return { type: { kind: 'literals', values }, gives: { type, enum: [...values] } };
}

/** True if the keys of a list are fields of its items' TypeScript type. */
function hasFields(type: TypeExpression, items: JSONSchemaProps, keys: readonly string[]): boolean {
  const isObject = type.kind === 'declared' || (type.kind === 'name' && items.properties !== undefined);
  return isObject && keys.every((key) => Object.hasOwn(items.properties ?? {}, key));
}

/** Types of responses of the API server, which no kind embeds. */
const notEmbedded = /\.(?:Status|StatusDetails|StatusCause)$/;

let index: ReadonlyMap<string, readonly string[]> | undefined;

/**
 * Returns the built-in type of which an object is a form: of any release of Kubernetes, as any version of controller-gen wrote it. Only its
 * name is used; its schema may differ from today's in descriptions, list types, defaults, and nested fields.
 *
 * @param expected the type of this field in the enclosing object, if that is recognised
 * @returns the table's name; undefined if no type, or more than one, has these fields
 */
function recognisedType(schema: JSONSchemaProps, expected?: string): string | undefined {
  const fields = fieldNames(schema.properties);
  if (expected !== undefined && fieldSetsOf(expected).includes(fields)) return expected;
  if (parts(schema) < FEWEST_PARTS || !fields.includes(' ')) return undefined;
  index ??= createIndex();
  const [only, second] = (index.get(fields) ?? []).filter((name) => isAlike(schema, name));
  return second === undefined ? only : undefined;
}

/** The type of a field of a recognised type, of its items or values; undefined for scalars and for fields that today's type lacks. */
function typeOfField(name: string, field: string): string | undefined {
  const { properties = {} } = tableSchema(name) ?? {};
  let schema = Object.hasOwn(properties, field) ? properties[field] : undefined;
  while (schema !== undefined && schema.$ref === undefined)
    schema = schema.items ?? schema.additionalProperties;
  return schema?.$ref;
}

/** Short name of a type: `io.k8s.api.core.v1.PodSpec` is `PodSpec`. */
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

/** True if all fields that today's type also has are of the same type there. */
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
