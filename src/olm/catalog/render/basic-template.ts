import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf, type JsonMap } from '../../../base/util/json-map.ts';
import type { YamlDocument } from '../../../kubernetes/yaml/index.ts';
import { knownDocument } from './known-document.ts';

/** The schema of a template that is a catalogue but for its bundles, of which it lists the images. */
export const basicSchema = 'olm.template.basic';

/**
 * Reads a template. Source: operator-registry `alpha/template/basic/basic.go`.
 * @returns its documents in their order
 * @throws OpSdkError with all findings
 */
export function readBasicTemplate(document: YamlDocument): readonly JsonMap[] {
  const findings: Finding[] = [];
  const complain = (path: readonly (string | number)[], message: string, fix: string): void =>
    void findings.push({
      code: 'catalog/invalid-template',
      message,
      where: document.locate(path),
      fix: [fix],
    });
  const { entries } = jsonMapOf(document.value);
  if (!Array.isArray(entries) || entries.length === 0)
    complain(
      entries === undefined ? [] : ['entries'],
      'the template has no entries',
      'list the documents of the catalogue below entries, and of each bundle its schema and its image',
    );
  for (const [index, entry] of jsonListOf(entries).entries()) {
    const path = ['entries', index];
    const schema = isJsonMap(entry) ? jsonTextOf(entry['schema']) : '';
    if (!isJsonMap(entry) || schema === '')
      complain(
        path,
        `entries[${index}]: expected a document with a schema`,
        'write one, such as schema: olm.bundle',
      );
    else if (schema === 'olm.bundle') checkBundle(entry, path, complain);
  }
  if (findings.length > 0) throw new OpSdkError(findings);
  return jsonListOf(entries).map(jsonMapOf);
}

/** A bundle is its image: opm refuses what else the image says. */
function checkBundle(
  entry: JsonMap,
  path: readonly (string | number)[],
  complain: (path: readonly (string | number)[], message: string, fix: string) => void,
): void {
  const place = path.join('.');
  if (jsonTextOf(entry['image']) === '')
    complain(path, `${place}: a bundle without an image`, 'write its image');
  for (const field of ['package', 'properties', 'relatedImages']) {
    const value = entry[field];
    const isEmpty =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
    if (!isEmpty)
      complain(
        [...path, field],
        `${place}.${field}: expected schema and image only, as the rest is read from the image`,
        `remove ${field}; or make a catalogue of the entries, without a template`,
      );
  }
}

/** The images of a template's bundles. */
export function basicImages(entries: readonly JsonMap[]): readonly string[] {
  return entries.filter(({ schema }) => schema === 'olm.bundle').map(({ image }) => jsonTextOf(image));
}

/** The documents of a template, with those of its bundles in place of their images. */
export function basicDocuments(
  entries: readonly JsonMap[],
  rendered: ReadonlyMap<string, JsonMap>,
): readonly JsonMap[] {
  return entries.map((entry) => {
    const schema = jsonTextOf(entry['schema']);
    if (schema !== 'olm.bundle') return knownDocument(schema, entry);
    const bundle = rendered.get(jsonTextOf(entry['image']));
    if (bundle === undefined) throw new TypeError('a bundle of the template was not rendered');
    return bundle;
  });
}
