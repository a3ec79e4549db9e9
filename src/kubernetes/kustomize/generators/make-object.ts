import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../../objects/index.ts';
import { setOwnField } from '../../../base/util/json-map.ts';
import type { Where, ErrorCode } from '../../../base/errors/index.ts';
import type { PathEntry } from '../entries.ts';
import { limits } from '../load/build-files.ts';

/**
 * Creates the ConfigMap or Secret of a generator.
 * Source: kustomize `api/internal/generators`, kyaml `yaml/datamap.go`.
 */
export function makeObject(rule: GeneratorRule, pairs: readonly KeyValue[]): JsonObject {
  const { kind, name, namespace, labels, annotations, immutable } = rule;
  const metadata: JsonObject = { name };
  if (namespace !== '') metadata['namespace'] = namespace;
  if (Object.keys(labels).length > 0) metadata['labels'] = { ...labels };
  if (Object.keys(annotations).length > 0) metadata['annotations'] = { ...annotations };
  const object: JsonObject = { apiVersion: 'v1', kind, metadata };
  if (kind === 'Secret') {
    object['type'] = rule.type === '' ? 'Opaque' : rule.type;
    object['data'] = {};
  }
  for (const { key, value } of pairs) {
    const isText = kind === 'ConfigMap' && isUtf8(value);
    const field = kind === 'Secret' || isText ? 'data' : 'binaryData';
    const data = (object[field] ??= {}) as JsonObject;
    setOwnField(data, key, isText ? value.toString('utf8') : base64Lines(value));
  }
  if (immutable) object['immutable'] = true;
  return object;
}

/**
 * Encodes bytes as base64 with line breaks like kustomize: a text of 70 or more characters gets a line break after every 70 characters, and
 * at the end.
 */
function base64Lines(value: Buffer): string {
  const text = value.toString('base64');
  return text.length < 70 ? text : text.replace(/.{1,70}/g, '$&\n');
}

/**
 * Treatment of a generated object. `create` requires that the build has no object of the same name. `merge` and `replace` require such an
 * object and change it.
 */
export type Behavior = 'create' | 'merge' | 'replace';

/** Entry of `files` of a generator: a file whose content is stored under a key. */
export interface FileSource {
  readonly key: string;
  readonly file: PathEntry;
}

/** Entry of `literals` of a generator: a value that is stored under a key. */
export interface Literal {
  readonly key: string;
  readonly value: string;
  readonly where: Where;
}

/** Entry of `configMapGenerator` or `secretGenerator`, combined with the generator options of the kustomization. */
export interface GeneratorRule {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly namespace: string;
  readonly behavior: Behavior;
  /** `type` of a Secret. The default is `''`, which means `Opaque`. */
  readonly type: string;
  readonly envs: readonly PathEntry[];
  readonly literals: readonly Literal[];
  readonly files: readonly FileSource[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly immutable: boolean;
  /** True if a hash of the content is appended to the name of the generated object. */
  readonly isHashed: boolean;
  readonly where: Where;
}

/**
 * Matches keys that YAML would read as a number, a boolean, null, a date or a merge key instead of text. Such keys are a problem because
 * kustomize writes keys without quotes.
 */
const notText =
  /^(?:[-+]?(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][-+]?\d+)?|[-+]?0(?:x[\da-fA-F_]+|o[0-7_]+|b[01_]+)|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)|true|True|TRUE|false|False|FALSE|null|Null|NULL|~|<<|\d{4}-\d\d?-\d\d?.*)$/;

/** Matches characters that go-yaml refuses, and characters such as U+0085 that go-yaml reads as a space. */
const notInYaml = /[\u007f-\u009f\ufffe\uffff]/;

/**
 * Returns the reason why kustomize cannot write a pair of key and value, or would change it; undefined if kustomize writes the pair as
 * given.
 */
export function checkPair(
  { kind }: GeneratorRule,
  { key, value }: KeyValue,
): { readonly message: string; readonly fix: string } | undefined {
  if (notText.test(key))
    return {
      message: `YAML does not read the key \`${key}\` as text, so kustomize cannot write it`,
      fix: 'give the key another name',
    };
  const text = kind === 'ConfigMap' && isUtf8(value) ? value.toString('utf8') : '';
  const character = notInYaml.exec(text)?.[0];
  if (character === undefined) return undefined;
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return {
    message: `the value of \`${key}\` holds the character U+${code}, which kustomize refuses or changes`,
    fix: 'take the character out, or keep the value in a Secret',
  };
}

/** Key of a generated object, and the content under this key. */
export interface KeyValue {
  readonly key: string;
  readonly value: Buffer;
  readonly where: Where;
}

/** Thrown if a source of a generator cannot be read. The message completes a sentence that begins with the source location. */
export class SourceError extends Error {
  readonly fix: string;
  /** Line number in the file, starting at 1. */
  readonly line: number | undefined;
  readonly code: ErrorCode;

  constructor(message: string, fix: string, line?: number, code: ErrorCode = 'kustomize/invalid-value') {
    super(message);
    this.name = 'SourceError';
    this.fix = fix;
    this.line = line;
    this.code = code;
  }
}

/** Maximum length of a line, in bytes. The limit is needed because kustomize silently stops reading at a longer line. */
const longestLine = 65_535;

/** Matches white space at the start of a text, as Go's unicode.IsSpace defines white space. */
const leadingSpace = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/** Parses an entry `KEY=value` of `literals`. One pair of quotes around the value is removed. Source: kustomize `api/kv/kv.go`. */
export function parseLiteral(text: string): { readonly key: string; readonly value: string } {
  const end = text.indexOf('=');
  if (end < 1)
    throw new SourceError(`expected KEY=VALUE, got ${JSON.stringify(text)}`, 'write it as key=value');
  return { key: text.slice(0, end), value: unquoted(text.slice(end + 1)) };
}

function unquoted(text: string): string {
  const quote = text[0];
  const isQuoted = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1) : text;
}

/** Parses an entry `[KEY=]PATH` of `files`. Without a key, the name of the file is the key. */
export function parseFileSource(text: string): { readonly key: string; readonly path: string } {
  const parts = text.split('=');
  const [first = '', second] = parts;
  if (second === undefined) return { key: baseName(text), path: text };
  if (parts.length > 2 || first === '' || second === '')
    throw new SourceError(
      `expected PATH or KEY=PATH, got ${JSON.stringify(text)}`,
      'name a file, with or without a key in front of it',
    );
  return { key: first, path: second };
}

/** Returns the last element of a path, like Go's path.Base. */
function baseName(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** Reads the lines `KEY=value` of a file that `envs` names. Quotes are kept. A line with only a key has an empty value. */
export function parseEnv(content: Buffer): readonly { readonly key: string; readonly value: string }[] {
  if (!isUtf8(content)) throw new SourceError('the file is not UTF-8', 'save it as UTF-8');
  if (hasMoreLines(content, limits.fileMarks))
    throw new SourceError(
      `the file has more than ${limits.fileMarks} lines`,
      'name the file in `files` instead: it becomes one key then',
      undefined,
      'kustomize/too-large',
    );
  return content
    .toString('utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (Buffer.byteLength(line) > longestLine)
        throw new SourceError(
          `the line has more than ${longestLine} bytes, at which kustomize stops reading without an error`,
          'move the value into a file, and name it in `files`',
          index + 1,
        );
      const unmarked = index === 0 ? line.replace(/^\ufeff/, '') : line;
      const text = unmarked.replace(/\r$/, '').replace(leadingSpace, '');
      if (text === '' || text.startsWith('#')) return [];
      const end = text.indexOf('=');
      const [key, value] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
      // kustomize skips a line without a key.
      return key === '' ? [] : [{ key, value }];
    });
}

/**
 * Returns true if a file has more than `most` lines. The lines are counted in the bytes, before each line becomes a text, because a text
 * costs much more memory than its bytes.
 */
function hasMoreLines(content: Buffer, most: number): boolean {
  let breaks = 0;
  let end = -1;
  while (breaks <= most && (end = content.indexOf(0x0a, end + 1)) >= 0) breaks++;
  return breaks > most;
}
