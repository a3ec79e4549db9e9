import {
  lost,
  plainFields,
  type Addition,
  type Inspection,
  type Loss,
  type Unknown,
} from './losses-of-libraries.ts';

type Path = readonly string[];

/**
 * Finds parts of an arktype schema that arktype silently omits from the JSON Schema, although arktype's own JSON description of the type
 * contains them.
 */
export function arktypeLosses(schema: Unknown): Inspection {
  const losses: Loss[] = [];
  const additions: Addition[] = [];
  const lose = (path: Path, loss: Omit<Loss, 'path'>): unknown => losses.push({ path, ...loss });
  const visit = (value: unknown, path: Path): void => {
    if (typeof value === 'string') {
      if (!kept.has(value)) lose(path, notJson(value));
      return;
    }
    if (Array.isArray(value)) {
      for (const branch of value) visit(branch, path);
      return;
    }
    const part = plainFields(value);
    if (part === undefined) return;
    const name = part['proto'] ?? part['domain'];
    if (typeof name === 'string' && !kept.has(name)) lose(path, notJson(name));
    if (part['morphs'] !== undefined) {
      lose(path, lost.transform);
      return;
    }
    // arktype's own formats, such as `string.url`, appear in the JSON Schema by their names, so they are not lost.
    const hasFormat = plainFields(part['meta'])?.['format'] !== undefined;
    if (part['predicate'] !== undefined && !hasFormat) lose(path, lost.refinement);
    const flags = list(part['pattern']).map((pattern) => plainFields(pattern)?.['flags']);
    if (flags.some((each) => typeof each === 'string' && /[ims]/.test(each))) lose(path, lost.flags);
    for (const field of [...list(part['required']), ...list(part['optional'])]) {
      const { key, value: inner, ...rest } = plainFields(field) ?? {};
      const way = [...path, String(key)];
      if ('default' in rest) additions.push({ path: way, keyword: 'default', value: rest['default'] });
      visit(inner, way);
    }
    for (const index of list(part['index'])) visit(plainFields(index)?.['value'], [...path, '{}']);
    const { sequence } = part;
    visit(plainFields(sequence)?.['variadic'] ?? sequence, [...path, '[]']);
    visit(part['branches'], path);
  };
  visit(schema['json'], []);
  return { losses, additions };
}

/** Names of arktype's types that also exist in JSON. */
const kept: ReadonlySet<string> = new Set([
  'string',
  'number',
  'boolean',
  'object',
  'null',
  'unknown',
  'Array',
]);

function notJson(name: string): Omit<Loss, 'path'> {
  const fix =
    name === 'Date' ? 'use a string: times are texts in JSON' : 'describe the value as it is in JSON';
  return { what: `the type ${name}, which JSON cannot hold`, fix };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}
