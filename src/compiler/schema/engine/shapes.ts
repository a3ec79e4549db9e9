import type { Adjustment, Doc, Form, Shape, ShapeProperty } from '../shape.ts';
import { embeddedAnything } from '../utility-types.ts';
import type { JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import { unionForm, keywordForms } from './unions.ts';
import { emptyObject, engineFailure, notUnderstood, unsupported, type Refusal } from './refusals.ts';
import { docAnnotation, type EngineType, type OpaqueForm, type ParserContext } from './types.ts';
import { sameField } from './same-field.ts';
import { sharedField } from './shared-field.ts';

/** A type without the wrappers that the engine puts around it. */
interface Unwrapped {
  readonly core: EngineType;
  readonly docs: readonly Doc[];
}

/** Converts types of the engine to shapes. */
export class ShapeReader {
  readonly #opaque: ReadonlyMap<EngineType, OpaqueForm>;
  readonly #engine: ParserContext['engine'];
  readonly #docs: ParserContext['docs'];
  // Cached shape of each type. Without this cache, the work for a tree of types that each use another type twice would double with every
  // level.
  readonly #shapes = new Map<EngineType, Shape>();
  // Cached parts of each type. Without this cache, a base type would be read again for each type that extends it.
  readonly #collected = new Map<EngineType, Parts>();

  constructor(context: ParserContext, opaque: ReadonlyMap<EngineType, OpaqueForm>) {
    this.#opaque = opaque;
    this.#engine = context.engine;
    this.#docs = context.docs;
  }

  /** Returns the shape of an interface. `isResource` is true if the interface extends CustomResource. */
  resource(type: EngineType): { readonly shape: Shape; readonly isResource: boolean } {
    const { core, docs: outer } = this.unwrap(type);
    const { form: found, isResource } = this.#objectForm(core);
    return { shape: plain(outer, found), isResource };
  }

  unwrap(type: EngineType): Unwrapped {
    const found: Doc[] = [];
    let core = type;
    for (;;) {
      if (this.#opaque.has(core)) return { core, docs: found };
      if (core instanceof this.#engine.AnnotatedType) {
        const id: unknown = core.getAnnotations()[docAnnotation];
        const doc = typeof id === 'number' ? this.#docs.byId(id) : undefined;
        if (doc !== undefined && found.at(-1) !== doc) found.push(doc);
      } else if (!(core instanceof this.#engine.DefinitionType || core instanceof this.#engine.AliasType)) {
        return { core, docs: found };
      }
      core = core.getType();
    }
  }

  shape(type: EngineType): Shape {
    const known = this.#shapes.get(type) ?? this.#readShape(type);
    this.#shapes.set(type, known);
    return known;
  }

  #readShape(type: EngineType): Shape {
    const { core, docs: outer } = this.unwrap(type);
    const known = this.#opaque.get(core);
    if (known?.kind === 'adjusted') return this.#adjustedShape(known, outer);
    if (known?.kind === 'shared') return this.#sharedShapeOf(known, outer);
    if (known !== undefined) return plain(outer, this.#opaqueForm(known));
    if (core instanceof this.#engine.UnionType) return this.#unionShape(core, outer);
    return plain(outer, this.#form(core));
  }

  #sharedShapeOf({ name, types }: OpaqueForm & { kind: 'shared' }, outer: readonly Doc[]): Shape {
    const fields = types.map((type): ShapeProperty => ({ name, required: true, shape: this.shape(type) }));
    const [first, ...rest] = fields;
    if (first === undefined) return plain(outer, refusedForm(notUnderstood));
    const inner = rest.reduce((one, other) => sharedField(one, other), first).shape;
    return { ...inner, docs: [...outer, ...inner.docs], optional: false };
  }

  #unionShape(type: InstanceType<ParserContext['engine']['UnionType']>, outer: readonly Doc[]): Shape {
    const members = this.#flatten(type);
    const nullable = members.some(({ core }) => core instanceof this.#engine.NullType);
    const optional = members.some(({ core }) => core instanceof this.#engine.UndefinedType);
    const rest = members.filter(
      ({ core }) => !(core instanceof this.#engine.NullType || core instanceof this.#engine.UndefinedType),
    );
    const [only] = rest;
    if (only !== undefined && rest.length === 1) {
      const inner = this.shape(only.core);
      return { ...inner, docs: [...outer, ...only.docs, ...inner.docs], nullable, optional };
    }
    const shapes = rest.map((member) => {
      const inner = this.shape(member.core);
      return { ...inner, docs: [...member.docs, ...inner.docs] };
    });
    return { form: unionForm(shapes), docs: outer, nullable, optional };
  }

  #adjustedShape(known: OpaqueForm & { kind: 'adjusted' }, outer: readonly Doc[]): Shape {
    const { adjustment } = known;
    if (adjustment.kind !== 'embedded') return adjusted(this.shape(known.inner), outer, adjustment);
    const { name } = adjustment;
    const { core, docs: own } = this.unwrap(known.inner);
    const inner = this.#opaque.get(core);
    if (inner?.kind === 'resourceBase')
      return plain(outer, { kind: 'fixed', name, schema: embeddedAnything() });
    if (inner !== undefined || !this.#isObjectType(core))
      return adjusted(this.shape(known.inner), outer, { ...adjustment, isResource: inner?.kind === 'fixed' });
    const { form: found, isResource } = this.#objectForm(core);
    return adjusted(plain(own, found), outer, { ...adjustment, isResource });
  }

  #isObjectType(core: EngineType): boolean {
    return core instanceof this.#engine.ObjectType || core instanceof this.#engine.IntersectionType;
  }

  #flatten(type: InstanceType<ParserContext['engine']['UnionType']>): Unwrapped[] {
    return type.getTypes().flatMap((member) => {
      const unwrapped = this.unwrap(member);
      if (!(unwrapped.core instanceof this.#engine.UnionType) || this.#opaque.has(unwrapped.core))
        return [unwrapped];
      return this.#flatten(unwrapped.core).map((item) => ({
        ...item,
        docs: [...unwrapped.docs, ...item.docs],
      }));
    });
  }

  #opaqueForm(known: Exclude<OpaqueForm, { kind: 'adjusted' | 'shared' }>): Form {
    if (known.kind === 'list') return { kind: 'array', items: this.shape(known.items), list: known.list };
    return known.kind === 'resourceBase' ? refusedForm(embedded) : known;
  }

  #form(core: EngineType): Form {
    if (core instanceof this.#engine.ArrayType) return { kind: 'array', items: this.shape(core.getItem()) };
    if (this.#isObjectType(core)) {
      const { form: found, isResource } = this.#objectForm(core);
      return isResource ? refusedForm(embedded) : found;
    }
    return keywordForms(this.#engine, core) ?? refusedForm(notUnderstood);
  }

  #objectForm(core: EngineType): { form: Form; isResource: boolean } {
    const parts = this.#partsOf(core);
    const [problem] = parts.problems;
    const [values] = parts.values;
    const { isResource, inherited } = parts;
    const result = (value: Form) => ({ form: value, isResource });
    if (problem !== undefined) return result(refusedForm(problem));
    if (values === undefined)
      return result({ kind: 'object', properties: [...parts.properties.values()], inherited });
    if (parts.properties.size > 0 || parts.values.length > 1) return result(refusedForm(mixedIndex));
    return result({ kind: 'record', values: this.shape(values) });
  }

  #partsOf(core: EngineType): Parts {
    const known = this.#collected.get(core) ?? this.#readParts(core);
    this.#collected.set(core, known);
    return known;
  }

  #readParts(core: EngineType): Parts {
    const parts = emptyParts();
    if (core instanceof this.#engine.IntersectionType) this.#collectIntersection(core, parts);
    else if (core instanceof this.#engine.ObjectType) this.#collectObject(core, parts);
    else {
      const message = `the type ${core.getName()} cannot be a base or a part of an intersection`;
      parts.problems.push(engineFailure(message));
    }
    return parts;
  }

  // Reads base types first, so that a field that is declared again replaces the inherited field.
  #collectObject(core: InstanceType<ParserContext['engine']['ObjectType']>, parts: Parts): void {
    if (core.getNonPrimitive()) parts.problems.push(emptyObject('object'));
    const own = new Set(core.getProperties().map((property) => property.getName()));
    for (const base of core.getBaseTypes()) {
      const single = emptyParts();
      this.#collectPart(base, single);
      // Compares both declarations of a field for their number types and tags. TypeScript has already compared their types, but it treats
      // Int32 and Int64 as `number` and ignores tags.
      for (const [name, property] of single.properties) {
        const other = parts.properties.get(name);
        if (other !== undefined && !own.has(name) && !sameField(other, property))
          parts.problems.push(inTwoBases(name));
      }
      merge(parts, single);
    }
    for (const property of core.getProperties())
      parts.properties.set(property.getName(), this.#shapeProperty(property));
    const additional = core.getAdditionalProperties();
    if (typeof additional !== 'boolean') parts.values.push(additional);
  }

  #collectPart(type: EngineType, parts: Parts): void {
    const { core, docs: own } = this.unwrap(type);
    const known = this.#opaque.get(core);
    parts.inherited.push(...own);
    if (known?.kind === 'resourceBase') parts.isResource = true;
    else if (known?.kind === 'refused') parts.problems.push(known.problem);
    else if (known?.kind === 'fixed' && isPlainObject(known.schema)) this.#collectFixed(known, parts);
    else if (known !== undefined)
      parts.problems.push(
        unsupported(
          'a utility type, or a built-in type that says more than its fields, cannot be a base',
          'make it a field',
        ),
      );
    else merge(parts, this.#partsOf(core));
  }

  #collectFixed({ name, schema }: Form & { kind: 'fixed' }, parts: Parts): void {
    for (const [field, of] of Object.entries(schema.properties ?? {})) {
      const form = { kind: 'fixed', name: `${name}.${field}`, schema: of } as const;
      const required = schema.required?.includes(field) === true;
      parts.properties.set(field, { name: field, required, shape: plain([], form) });
    }
  }

  #collectIntersection(core: InstanceType<ParserContext['engine']['IntersectionType']>, parts: Parts): void {
    for (const type of core.getTypes()) {
      const single = emptyParts();
      this.#collectPart(type, single);
      for (const [name, property] of single.properties) {
        const known = parts.properties.get(name);
        if (known !== undefined) single.properties.set(name, sharedField(known, property));
      }
      merge(parts, single);
    }
  }

  #shapeProperty(property: InstanceType<ParserContext['engine']['ObjectProperty']>): ShapeProperty {
    return {
      name: property.getName(),
      required: property.isRequired(),
      shape: this.shape(property.getType()),
    };
  }
}

interface Parts {
  readonly properties: Map<string, ShapeProperty>;
  readonly inherited: Doc[];
  readonly values: EngineType[];
  readonly problems: Refusal[];
  isResource: boolean;
}

function emptyParts(): Parts {
  return { properties: new Map(), inherited: [], values: [], problems: [], isResource: false };
}

function merge(parts: Parts, single: Parts): void {
  for (const [name, property] of single.properties) parts.properties.set(name, property);
  parts.inherited.push(...single.inherited.filter((doc) => !parts.inherited.includes(doc)));
  parts.values.push(...single.values);
  parts.problems.push(...single.problems);
  parts.isResource ||= single.isResource;
}

const inTwoBases = (name: string): Refusal => ({
  code: 'schema/unsupported-type',
  message: `the field \`${name}\` comes from two base interfaces that describe it differently`,
  fix: ['declare the field in the interface itself, with its type, doc comment and tags'],
});

/** Returns true if the fields of a schema can be moved into another object without losing any keyword of the schema. */
function isPlainObject(schema: JSONSchemaProps): boolean {
  const plainKeywords = ['type', 'description', 'properties', 'required'];
  return schema.properties !== undefined && Object.keys(schema).every((name) => plainKeywords.includes(name));
}

function plain(docs: readonly Doc[], form: Form): Shape {
  return { form, docs, nullable: false, optional: false };
}

function adjusted(inner: Shape, outer: readonly Doc[], adjustment: Adjustment): Shape {
  const adjustments = [...(inner.adjustments ?? []), adjustment];
  return { ...inner, docs: [...outer, ...inner.docs], adjustments };
}

function refusedForm(problem: Refusal): Form {
  return { kind: 'refused', problem, escapable: true };
}

const embedded: Refusal = {
  code: 'schema/embedded-resource',
  message: 'the type of a whole resource cannot be used inside another resource without EmbeddedResource',
  fix: [
    "wrap it: `EmbeddedResource<T>` from 'opsdk'",
    'or declare an interface with the fields that you need',
  ],
};

const mixedIndex: Refusal = {
  code: 'schema/index-signature',
  message:
    'the type has both known fields and arbitrary keys (an index signature); an object can have only one of the two',
  fix: ['put the arbitrary keys into a field of their own: Record<string, …>'],
};
