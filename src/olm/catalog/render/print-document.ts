import type { JsonMap } from '../../../base/util/json-map.ts';
import { toYaml } from '../../../kubernetes/yaml/to-yaml.ts';

export type CatalogFormat = 'yaml' | 'json';

/** One document of a catalogue as opm writes it: YAML behind a line of `---`, or JSON without anything between two documents. */
export function printDocument(document: JsonMap, format: CatalogFormat): string {
  if (format === 'yaml') return `---\n${toYaml(document)}`;
  // Go writes these two as escapes, as they end lines for JavaScript.
  const text = JSON.stringify(document, null, 4).replace(/[\u2028\u2029]/g, (character) =>
    character === '\u2028' ? '\\u2028' : '\\u2029',
  );
  return `${text}\n`;
}
