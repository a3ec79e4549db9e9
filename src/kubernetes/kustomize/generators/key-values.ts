import { isUtf8 } from 'node:buffer';
import type { ErrorCode, Where } from '../../../base/errors/index.ts';
import { limits } from '../load/limits.ts';

/** A key of a generated object with its content. */
export interface KeyValue {
  readonly key: string;
  readonly value: Buffer;
  readonly where: Where;
}

/** Why a source gives no keys; the message continues the place of the source. */
export class SourceError extends Error {
  readonly fix: string;
  /** The line in the file, from 1. */
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

/** kustomize reads lines by a scanner that silently stops at a longer one. */
const longestLine = 65_535;

/** The white space that Go's unicode.IsSpace knows, at the start of a text. */
const leadingSpace = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/**
 * Reads `KEY=value` of `literals`. One pair of quotes around the value is left out.
 * Source: kustomize `api/kv/kv.go`.
 */
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

/** Reads `[KEY=]PATH` of `files`; without a key it is the file's name. */
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

/** As Go's path.Base. */
function baseName(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** Reads the lines `KEY=value` of a file of `envs`. Nothing is unquoted; a key alone has an empty value. */
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
          `the line has more than ${longestLine} bytes, where kustomize stops without a word`,
          'move the value into a file, and name it in `files`',
          index + 1,
        );
      const unmarked = index === 0 ? line.replace(/^\ufeff/, '') : line;
      const text = unmarked.replace(/\r$/, '').replace(leadingSpace, '');
      if (text === '' || text.startsWith('#')) return [];
      const end = text.indexOf('=');
      const [key, value] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
      // kustomize passes a line without a key over.
      return key === '' ? [] : [{ key, value }];
    });
}

/** Counted before the lines become texts, each of which costs much more than its bytes. */
function hasMoreLines(content: Buffer, most: number): boolean {
  let breaks = 0;
  let end = -1;
  while (breaks <= most && (end = content.indexOf(0x0a, end + 1)) >= 0) breaks++;
  return breaks > most;
}
