import type { JSONSchemaProps, JsonValue, ValidationRule } from '../../kubernetes/crd/index.ts';
import { parseCel, type SchemaTag, tagRules } from '../schema/index.ts';
import type { TagLine } from './model.ts';

/**
 * Characters that a comment cannot preserve, or that are invisible in it: controls, line separators of TypeScript, marks without width, and
 * those that change the direction of the text.
 */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** Text that TypeScript parses as the beginning of a tag, and `{@link`, which editors resolve. */
const tagLike = /(?:^|\s)@|\{@/;
/** Marker of the Go tools at the beginning of a line; rejected above the tags when the comment is read back. */
const goMarker = /^\s*\+[a-z]/im;

/** True if a description can be written into a doc comment unchanged and is the same when read back. */
function isPlainDescription(text: string): boolean {
  return (
    text !== '' &&
    text.trim() === text &&
    !/[ \t]$/m.test(text) &&
    text.split('\n').every((line) => line.trimEnd() === line) &&
    isSafe(text) &&
    !goMarker.test(text)
  );
}

/** True if a text can follow a tag unchanged: one line, without surrounding blanks. */
function isPlainTagText(text: string): boolean {
  return text.trim() === text && !text.includes('\n') && isSafe(text);
}

function isSafe(text: string): boolean {
  return !unseen.test(text) && !loneSurrogate.test(text) && !tagLike.test(text);
}

/**
 * Escapes a text for the inside of a doc comment; its lines get their margins later. Adds a backslash wherever a star is followed by any
 * number of backslashes and a slash: the inverse of `withoutMargin`.
 */
function escapeComment(text: string): string {
  return text.replace(/\*(\\*)\//g, '*\\$1/');
}

/**
 * Serializes a JSON value on one line, for {@link escapeComment}: characters that a comment cannot contain, or that would begin a tag, are
 * escaped.
 */
function commentJson(value: JsonValue): string {
  return JSON.stringify(value)
    .replace(new RegExp(unseen, 'g'), (character) => unicodeEscape(character))
    .replace(/(?<=[\s{"])@/g, unicodeEscape);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Returns a description for people alone. It is not read back, so characters that a comment cannot contain may be dropped. Never ends the
 * comment, never begins a tag.
 */
function readableDescription(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) =>
      line
        .replace(new RegExp(unseen, 'g'), ' ')
        .replace(/(^|\s)@/g, '$1\\@')
        .trimEnd(),
    )
    .join('\n')
    .trim();
}

/** Tags of a node beyond its type, and the rest for `@k8s`. */
interface PlannedTags {
  readonly tags: readonly TagLine[];
  /** Keywords that no tag can express exactly. */
  readonly rest: JSONSchemaProps;
}

/**
 * Plans the tags that turn the schema of a type into that of a node. Each is tried with the rule that will read it; keywords that the rule
 * would reject or read differently are left in the rest.
 *
 * @param wanted the schema of the node without its description
 * @param fromType the schema that the type alone yields, including its parts
 */
export function planTags(wanted: JSONSchemaProps, fromType: JSONSchemaProps): PlannedTags {
  const tags: TagLine[] = [];
  let state: JSONSchemaProps = { ...fromType };
  for (const [name, rule] of tagRules) {
    const keys = keywordsOf(name).filter((key) => wanted[key] !== undefined);
    if (keys.length === 0 || keys.every((key) => sameValue(key, state[key], wanted[key]))) continue;
    for (const text of textsOf(name, wanted, fromType)) {
      const next: JSONSchemaProps = { ...state };
      const isRead = rule.fits(next) && rule.apply(next, text) === undefined;
      if (!isRead || !keys.every((key) => sameValue(key, next[key], wanted[key]))) continue;
      state = next;
      tags.push({ name, text });
      break;
    }
  }
  const rules = wanted['x-kubernetes-validations'];
  const rulesAsTags = rules === undefined ? undefined : celTags(rules);
  if (rules !== undefined && rulesAsTags !== undefined) {
    tags.push(...rulesAsTags);
    state['x-kubernetes-validations'] = rules;
  }
  const left = Object.entries(wanted).filter(
    ([key, value]) => !sameValue(key, state[key as keyof JSONSchemaProps], value),
  );
  return { tags, rest: Object.fromEntries(left) };
}

/** Returns a `@k8s` tag for the keywords that nothing else can express; empty if there are none. */
export function k8sTag(rest: JSONSchemaProps): readonly TagLine[] {
  return Object.keys(rest).length === 0 ? [] : [{ name: 'k8s', text: commentJson(rest as JsonValue) }];
}

const differentlyNamed: Readonly<Partial<Record<SchemaTag, readonly (keyof JSONSchemaProps)[]>>> = {
  exclusiveMinimum: ['minimum', 'exclusiveMinimum'],
  exclusiveMaximum: ['maximum', 'exclusiveMaximum'],
  mapType: ['x-kubernetes-map-type'],
  preserveUnknownFields: ['x-kubernetes-preserve-unknown-fields'],
  embeddedResource: ['x-kubernetes-embedded-resource'],
};

function keywordsOf(name: SchemaTag): readonly (keyof JSONSchemaProps)[] {
  return differentlyNamed[name] ?? [name as keyof JSONSchemaProps];
}

type TextMaker = (wanted: JSONSchemaProps, fromType: JSONSchemaProps) => readonly string[];

/** Returns the texts that could express a keyword's value, the more readable first. */
function textsOf(name: SchemaTag, wanted: JSONSchemaProps, fromType: JSONSchemaProps): readonly string[] {
  const make = textMakers[name];
  return make === undefined
    ? plain(wanted[name as keyof JSONSchemaProps] as JsonValue)
    : make(wanted, fromType);
}

const schemas =
  (name: 'oneOf' | 'anyOf' | 'allOf' | 'not'): TextMaker =>
  (wanted) => [commentJson((wanted[name] ?? null) as JsonValue)];

const textMakers: Readonly<Partial<Record<SchemaTag, TextMaker>>> = {
  minimum: (wanted) => (wanted.exclusiveMinimum === true ? [] : plain(wanted.minimum)),
  maximum: (wanted) => (wanted.exclusiveMaximum === true ? [] : plain(wanted.maximum)),
  exclusiveMinimum: (wanted) => (wanted.exclusiveMinimum === true ? plain(wanted.minimum) : []),
  exclusiveMaximum: (wanted) => (wanted.exclusiveMaximum === true ? plain(wanted.maximum) : []),
  preserveUnknownFields: () => [''],
  embeddedResource: () => [''],
  mapType: (wanted) => plain(wanted['x-kubernetes-map-type']),
  required: requiredTexts,
  default: ({ default: value }) => (value === undefined ? [] : [...plain(value), commentJson(value)]),
  // JSON only: any other text is documentation and not part of the schema.
  example: ({ example: value }) => (value === undefined ? [] : [commentJson(value)]),
  externalDocs: (wanted) => externalDocsTexts(wanted.externalDocs ?? {}),
  oneOf: schemas('oneOf'),
  anyOf: schemas('anyOf'),
  allOf: schemas('allOf'),
  not: schemas('not'),
};

function plain(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return value !== '' && isPlainTagText(value) ? [value] : [];
  return typeof value === 'number' ? [numberText(value)] : [];
}

/** Writes all digits of an integer that is a double; the greatest 64-bit integer as people write it, although the double is one more. */
function numberText(value: number): string {
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) > 2 ** 64)
    return JSON.stringify(value);
  return value === 2 ** 63 ? '9223372036854775807' : String(BigInt(value));
}

/** Required names that no field has. */
function requiredTexts(wanted: JSONSchemaProps, fromType: JSONSchemaProps): readonly string[] {
  const names = (wanted.required ?? []).filter((name) => fromType.required?.includes(name) !== true);
  const simple = names.every((name) => /^[\w.-]+$/.test(name));
  return names.length === 0 ? [] : [...(simple ? [names.join(', ')] : []), commentJson(names)];
}

function externalDocsTexts(docs: NonNullable<JSONSchemaProps['externalDocs']>): readonly string[] {
  const { url, description } = docs;
  const text = [url, description].filter((part) => part !== undefined && part !== '').join(' ');
  return [...(url !== undefined && isPlainTagText(text) ? [text] : []), commentJson(docs)];
}

const immutable: ValidationRule = { rule: 'self == oldSelf', message: 'field is immutable' };

/** Converts the rules to tags, in their order; undefined if a tag cannot express one of them. */
function celTags(rules: readonly ValidationRule[]): readonly TagLine[] | undefined {
  // If two rules have the same text, only the outer one is read back.
  if (new Set(rules.map(({ rule }) => rule)).size < rules.length) return undefined;
  const tags = rules.map(celTag);
  return tags.every((tag) => tag !== undefined) && tags.length > 0 ? tags : undefined;
}

function celTag(rule: ValidationRule): TagLine | undefined {
  if (sameJson(rule as unknown as JsonValue, immutable as unknown as JsonValue))
    return { name: 'immutable', text: '' };
  const { rule: expression, message, ...others } = rule;
  const short = message === undefined ? expression : `${expression} : ${JSON.stringify(message)}`;
  const texts = [
    ...(Object.keys(others).length === 0 && isPlainTagText(short) ? [short] : []),
    commentJson(rule as unknown as JsonValue),
  ];
  const text = texts.find((item) => {
    const parsed = parseCel(item);
    return 'value' in parsed && sameJson(parsed.value as unknown as JsonValue, rule as unknown as JsonValue);
  });
  return text === undefined ? undefined : { name: 'cel', text };
}

function sameValue(key: string, left: unknown, right: unknown): boolean {
  const isSet = key === 'required' && Array.isArray(left) && Array.isArray(right);
  return isSet
    ? sameJson([...(left as string[])].sort(), [...(right as string[])].sort())
    : sameJson(left as JsonValue | undefined, right as JsonValue | undefined);
}

/** True if two JSON values are the same; the order of names means nothing. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every(
      (name) =>
        Object.hasOwn(right, name) &&
        sameJson((left as Record<string, JsonValue>)[name], (right as Record<string, JsonValue>)[name]),
    )
  );
}

/** Maximum width of a comment on one line; longer ones get several lines. */
const WIDEST = 100;

interface DocComment {
  readonly description?: string | undefined;
  readonly tags: readonly TagLine[];
}

/**
 * Formats a doc comment as lines without indentation; empty without description and tags.
 *
 * @param exact whether the comment is read back: then text that it cannot contain is written as a `@description`
 */
export function printComment({ description, tags }: DocComment, exact: boolean): readonly string[] {
  const isPlain = description !== undefined && (!exact || isPlainDescription(description));
  const text = !isPlain ? '' : escapeComment(exact ? description : readableDescription(description));
  const asTag = description === undefined || isPlain ? [] : [descriptionTag('', description)];
  const lines = [...asTag, ...tags].map(({ name, text: value }) => {
    return `@${name}${value === '' ? '' : ` ${escapeComment(value)}`}`;
  });
  const [first, ...more] = [
    ...(text === '' ? [] : text.split('\n')),
    ...(text !== '' && lines.length > 0 ? [''] : []),
    ...lines,
  ];
  if (first === undefined) return [];
  // A slash behind the opening would end the comment.
  if (more.length === 0 && first.length <= WIDEST && !first.endsWith('*')) return [`/** ${first} */`];
  return ['/**', ...[first, ...more].map((line) => (line === '' ? ' *' : ` * ${line}`)), ' */'];
}

/** `@description "…"`, behind a prefix such as `items.`. */
export function descriptionTag(prefix: string, description: string): TagLine {
  return { name: `${prefix}description`, text: commentJson(description) };
}
