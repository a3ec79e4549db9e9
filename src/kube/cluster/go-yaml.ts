import { FAILSAFE_SCHEMA, load, Type } from 'js-yaml';

/** The words of go-yaml that are no text. Source: `sigs.k8s.io/yaml/goyaml.v2`, `resolve.go`. */
const truths = new Set('y Y yes Yes YES true True TRUE on On ON'.split(' '));
const falsehoods = new Set('n N no No NO false False FALSE off Off OFF'.split(' '));
const nulls = new Set(['', '~', 'null', 'Null', 'NULL']);
const infinities = new Set('.inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF .nan .NaN .NAN'.split(' '));

const integer = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]*|0[bB][01]+|[1-9][0-9]*)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function isNumber(text: string): boolean {
  if (infinities.has(text)) return true;
  if (!/^[-+.0-9]/.test(text)) return false;
  const plain = text.replaceAll('_', '');
  return integer.test(plain) || float.test(plain);
}

function numberOf(text: string): number {
  if (infinities.has(text))
    return text.toLowerCase().endsWith('nan') ? NaN : text.startsWith('-') ? -Infinity : Infinity;
  const [, sign = '', digits = ''] = /^([-+]?)(.*)$/.exec(text.replaceAll('_', '')) ?? [];
  const value = Number(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  return sign === '-' ? -value : value;
}

const scalar = (
  tag: string,
  matches: (text: string) => boolean,
  construct: (text: string) => unknown,
): Type =>
  new Type(`tag:yaml.org,2002:${tag}`, {
    kind: 'scalar',
    resolve: (text: string | null) => matches(text ?? ''),
    construct: (text: string | null) => construct(text ?? ''),
  });

/** Dates are text, as for JSON. */
const goSchema = FAILSAFE_SCHEMA.extend({
  implicit: [
    scalar(
      'null',
      (text) => nulls.has(text),
      () => null,
    ),
    scalar(
      'bool',
      (text) => truths.has(text) || falsehoods.has(text),
      (text) => truths.has(text),
    ),
    scalar('int', (text) => isNumber(text) && integer.test(text.replaceAll('_', '')), numberOf),
    scalar('float', isNumber, numberOf),
    new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text: string) => text === '<<' }),
  ],
});

/**
 * Reads YAML as kubectl reads it (sigs.k8s.io/yaml): YAML 1.1's booleans, dates as text, of a key that is given twice the last value,
 * and of several documents the first one.
 *
 * @throws YAMLException
 */
export function loadGoYaml(text: string, filename: string): unknown {
  return load(firstDocument(text), { filename, schema: goSchema, json: true });
}

/** Ends at the line of the first `---` or `...` that comes after something: what follows is not even parsed. */
function firstDocument(text: string): string {
  const marker = /^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm;
  let begun = false;
  for (let match = marker.exec(text); match !== null; match = marker.exec(text)) {
    const before = text.slice(0, match.index).replace(/^\uFEFF/, '');
    const isBegin = !begun && match[0] === '---' && /^(?:[ \t]*(?:#.*)?\r?\n|%.*\n)*$/.test(before);
    if (!isBegin) return text.slice(0, match.index);
    begun = true;
  }
  return text;
}
