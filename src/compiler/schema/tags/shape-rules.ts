import type { FindingCode } from '../../../base/errors/index.ts';
import { isObject } from '../../../kubernetes/objects/index.ts';
import type { JSONSchemaProps } from '../../../kubernetes/crd/index.ts';
import { parseJson, type Parsed, readSchema } from './values.ts';
import type { SchemaTag } from './tag-names.ts';

/** Rule by which a tag with one value is checked and written into a schema. */
export interface TagRule {
  /** Type to which the tag applies, phrased for messages: `a string`. */
  readonly needs: string;
  readonly fits: (schema: JSONSchemaProps) => boolean;
  /** Writes the value of the tag into the schema. Returns the problem if the text of the tag is not a valid value. */
  readonly apply: (schema: JSONSchemaProps, text: string) => string | undefined;
  /** Code of the errors about the text of the tag. Default: schema/tag-value. */
  readonly code?: FindingCode;
  /** Advice on how to fix an error in the text of the tag. Default: advice to correct the value. */
  readonly fix?: readonly string[];
  /** True if an error in the text of the tag is reported only as a warning; the tag then has no effect. Default: false. */
  readonly isAdvice?: boolean;
  /**
   * Treatment of a tag on the field if the field's type has tags of the same name. Default: the field's tag replaces the tags of the type.
   * `adds`: all of these tags apply. `alone`: tags with different texts are an error.
   */
  readonly beside?: 'adds' | 'alone';
}

const object = (schema: JSONSchemaProps): boolean => schema.type === 'object';
const anything = (): boolean => true;

const preserveUnknownFields: TagRule = {
  needs: 'a type other than IntOrString and Quantity',
  fits: (schema) => schema['x-kubernetes-int-or-string'] !== true,
  apply: (schema, value) => {
    if (value !== '') return 'takes no value';
    schema['x-kubernetes-preserve-unknown-fields'] = true;
    return undefined;
  },
};

const embeddedResource: TagRule = {
  needs: 'an object with fields, or with @preserveUnknownFields',
  fits: (schema) => object(schema) && schema.additionalProperties === undefined,
  apply: (schema, value) => {
    if (value !== '') return 'takes no value';
    const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
    if (isEmpty && schema['x-kubernetes-preserve-unknown-fields'] !== true)
      return 'needs an object with fields, or @preserveUnknownFields beside it';
    schema['x-kubernetes-embedded-resource'] = true;
    return undefined;
  },
};

const mapType: TagRule = {
  needs: 'an object or a record',
  fits: object,
  apply: (schema, value) => {
    if (value !== 'atomic' && value !== 'granular') return 'expects atomic or granular';
    schema['x-kubernetes-map-type'] = value;
    return undefined;
  },
};

const required: TagRule = {
  needs: 'an object',
  fits: object,
  beside: 'adds',
  apply: (schema, value) => {
    const names = namesOf(value);
    if (names === undefined) return 'expects names with commas between them, or a list of them in JSON';
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) return `names ${twice} twice`;
    const declared = names.find((name) => Object.hasOwn(schema.properties ?? {}, name));
    if (declared !== undefined)
      return `expects names of fields that the type does not declare; make the declared field ${declared} required instead: remove its \`?\``;
    schema.required = [...new Set([...(schema.required ?? []), ...names])].sort();
    return undefined;
  },
};

function namesOf(text: string): readonly string[] | undefined {
  if (text.startsWith('[')) {
    const parsed = parseJson(text);
    const list = 'value' in parsed && Array.isArray(parsed.value) ? (parsed.value as readonly unknown[]) : [];
    return list.length > 0 && list.every((item) => typeof item === 'string') ? list : undefined;
  }
  const names = text.split(',').map((name) => name.trim());
  return names.some((name) => name === '' || /\s/.test(name)) ? undefined : names;
}

/**
 * Creates the rule of a tag that sets `oneOf`, `anyOf` or `allOf`. The API server, and op-sdk's check of the entire schema, decide which
 * keywords the schemas inside may contain.
 */
function junctor(word: 'oneOf' | 'anyOf' | 'allOf'): TagRule {
  return {
    needs: 'a type',
    fits: anything,
    beside: word === 'allOf' ? 'adds' : 'alone',
    apply: (schema, value) => {
      const parsed = parseJson(value);
      if ('problem' in parsed || !Array.isArray(parsed.value) || parsed.value.length === 0)
        return `expects a list of schemas in JSON, such as \`@${word} [{"required": ["a"]}, {"required": ["b"]}]\``;
      if (schema[word] !== undefined && word !== 'allOf')
        return `cannot be used on this type, whose schema already has ${word}; write \`@allOf [{"${word}": …}]\``;
      const read = readSchema({ [word]: parsed.value });
      if ('problem' in read) return `is not valid: ${read.problem}`;
      const list = read.value[word];
      if (list !== undefined) schema[word] = [...(schema[word] ?? []), ...list];
      return undefined;
    },
  };
}

const not: TagRule = {
  needs: 'a type',
  fits: anything,
  beside: 'alone',
  apply: (schema, value) => {
    const parsed = parseJson(value);
    if ('problem' in parsed || !isObject(parsed.value))
      return 'expects a schema in JSON, such as `@not {"required": ["a"]}`';
    if (schema.not !== undefined)
      return 'cannot be used on this type, whose schema already has not; write `@allOf [{"not": …}]`';
    const read = readSchema(parsed.value);
    if ('problem' in read) return `is not valid: ${read.problem}`;
    schema.not = read.value;
    return undefined;
  },
};

const externalDocs: TagRule = {
  needs: 'anything',
  fits: anything,
  apply: (schema, value) => {
    const parsed = parseExternalDocs(value);
    if ('problem' in parsed) return parsed.problem;
    schema.externalDocs = parsed.value;
    return undefined;
  },
};

/**
 * Reads the value of `@externalDocs`. The value is a URL that may be followed by a text (`https://… a text`), or a JSON object with the
 * fields `url` and `description`.
 */
export function parseExternalDocs(text: string): Parsed<NonNullable<JSONSchemaProps['externalDocs']>> {
  const form =
    'expects a URL, and a text behind it if there is one to say; or a JSON object with url and description';
  if (text.startsWith('{')) {
    const parsed = parseJson(text);
    if ('problem' in parsed || !isObject(parsed.value)) return { problem: form };
    const fits = Object.entries(parsed.value).every(
      ([name, content]) => (name === 'url' || name === 'description') && typeof content === 'string',
    );
    return fits ? { value: parsed.value } : { problem: form };
  }
  const [, url, description = ''] = /^(\S+)(?:[ \t]+(.+))?$/.exec(text) ?? [];
  if (url === undefined || !URL.canParse(url)) return { problem: form };
  return { value: description === '' ? { url } : { description, url } };
}

/** Rules of the tags that determine the kind of an object or list, in the order in which the tags are applied. */
export const shapeRules: readonly (readonly [SchemaTag, TagRule])[] = [
  ['mapType', mapType],
  ['preserveUnknownFields', preserveUnknownFields],
  ['embeddedResource', embeddedResource],
  ['required', required],
  ['oneOf', junctor('oneOf')],
  ['anyOf', junctor('anyOf')],
  ['allOf', junctor('allOf')],
  ['not', not],
  ['externalDocs', externalDocs],
];
