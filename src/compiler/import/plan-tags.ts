import type { JSONSchemaProps, JsonValue, ValidationRule } from '../../kubernetes/crd/index.ts';
import { parseCel, type SchemaTag, tagRules } from '../schema/index.ts';
import type { TagLine } from './model.ts';

/**
 * Characters that a comment cannot preserve, or that are invisible in it: control characters, line separators of TypeScript, zero-width
 * characters, and characters that change the direction of the text.
 */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/;
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** Text that TypeScript parses as the beginning of a tag, or `{@link`, which editors resolve. It cannot be written unchanged. */
const tagLike = /(?:^|\s)@|\{@/;
/** Marker of the Go tools at the beginning of a line. A comment with such a marker above its tags is rejected when it is read back. */
const goMarker = /^\s*\+[a-z]/im;

/** Returns true if a description can be written into a doc comment without escapes, and is unchanged when it is read back. */
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

/** Returns true if a text can be written after a tag without escapes: it has one line, and does not begin or end with spaces. */
function isPlainTagText(text: string): boolean {
  return text.trim() === text && !text.includes('\n') && isSafe(text);
}

function isSafe(text: string): boolean {
  return !unseen.test(text) && !loneSurrogate.test(text) && !tagLike.test(text);
}

/**
 * Escapes a text for the inside of a doc comment. If a `*`, followed by any number of backslashes, precedes a `/`, a backslash is added
 * after the `*`. This is the inverse of `withoutMargin`. The margins of the lines are added later.
 */
function escapeComment(text: string): string {
  return text.replace(/\*(\\*)\//g, '*\\$1/');
}

/**
 * Serializes a JSON value on one line, as input for {@link escapeComment}. Characters that a comment cannot contain, or that would begin a
 * tag, are escaped.
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
 * Converts a description for a comment that only people read, and that is not read back. Characters that a comment cannot contain may
 * therefore be dropped. The result never ends the comment or begins a tag.
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

/** Tags of a node beyond its type, and the keywords left for the tag `@k8s`. */
interface PlannedTags {
  readonly tags: readonly TagLine[];
  /** Keywords that tags other than `@k8s` cannot express exactly. */
  readonly rest: JSONSchemaProps;
}

/**
 * Plans the tags that complete the schema of a type to the schema of a node. Each tag is tested with the rule that will read it back. If
 * the rule would reject it, or would read a different value, the keywords stay in `rest`.
 *
 * @param wanted the schema of the node without its description
 * @param fromType the schema that the type alone yields, including the schemas inside it
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

/** Returns a `@k8s` tag for the keywords that other tags and types cannot express. Returns an empty list if there are not any. */
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

/** Returns candidates for the text of a tag that expresses the value of a keyword. More readable candidates come first. */
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
  // Use only JSON, because any other text is documentation and not part of the schema.
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

/**
 * Writes all digits of an integer that is given as a double. The greatest 64-bit integer is written as people write it, although the double
 * is greater by one.
 */
function numberText(value: number): string {
  if (!Number.isInteger(value) || Number.isSafeInteger(value) || Math.abs(value) > 2 ** 64)
    return JSON.stringify(value);
  return value === 2 ** 63 ? '9223372036854775807' : String(BigInt(value));
}

/** Returns texts for required names that are not fields. */
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

/** Converts CEL rules to tags, in the same order. Returns undefined if one of the rules cannot be expressed as a tag. */
function celTags(rules: readonly ValidationRule[]): readonly TagLine[] | undefined {
  // If two rules have the same text, only the outer rule is read back, so tags cannot express both.
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

/** Returns true if two JSON values are equal. The order of names in objects is ignored. */
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

/** Maximum width of a comment on one line, in characters. A longer comment gets several lines. */
const WIDEST = 100;

interface DocComment {
  readonly description?: string | undefined;
  readonly tags: readonly TagLine[];
}

/**
 * Formats a doc comment as lines without indentation. Returns an empty list if the comment has neither description nor tags.
 *
 * @param exact true if the comment is read back. A description that a comment cannot contain is then written as a `@description` tag
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
  // Print a text that ends in `*` on a line of its own, apart from the end of the comment.
  if (more.length === 0 && first.length <= WIDEST && !first.endsWith('*')) return [`/** ${first} */`];
  return ['/**', ...[first, ...more].map((line) => (line === '' ? ' *' : ` * ${line}`)), ' */'];
}

/** Returns the tag `@description "…"`, with a prefix such as `items.` before its name. */
export function descriptionTag(prefix: string, description: string): TagLine {
  return { name: `${prefix}description`, text: commentJson(description) };
}
