import { FAILSAFE_SCHEMA, load, Type } from 'js-yaml';
import { readPlainAsGo } from '../../../base/util/go-scalars.ts';

const scalar = (tag: string, matches: (value: unknown) => boolean): Type =>
  new Type(`tag:yaml.org,2002:${tag}`, {
    kind: 'scalar',
    resolve: (text: string | null) => matches(readPlainAsGo(text ?? '')),
    construct: (text: string | null) => readPlainAsGo(text ?? ''),
  });

const isNumber = (value: unknown): boolean => typeof value === 'number';

/** Dates are text, as for JSON. */
const goSchema = FAILSAFE_SCHEMA.extend({
  implicit: [
    scalar('null', (value) => value === null),
    scalar('bool', (value) => typeof value === 'boolean'),
    scalar('int', (value) => isNumber(value) && Number.isInteger(value)),
    scalar('float', isNumber),
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
