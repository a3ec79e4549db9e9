import { stat } from 'node:fs/promises';
import type { Place } from '../../../images/index.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../bundle/index.ts';
import { type JsonMap, isJsonMap, jsonListOf, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { parseKubernetesYaml, readYamlFile, type YamlDocument } from '../../../kubernetes/yaml/index.ts';
import { isTemplateSchema, renderedSchemas, renderFix, unknownSchema } from '../rules/check-deprecations.ts';
import type { CatalogueBundle } from './render-bundle.ts';
import { documentInMemory, type RenderedDocument } from './render-documents.ts';
import { readSemverTemplate, semverDocuments, type TemplateBundle } from './semver-template.ts';
import { knownDocument } from './known-document.ts';

/** Templates are lists of documents without their bundles. */
const mostBytes = 16 * 1024 * 1024;

/**
 * Renders a template as `opm alpha render-template` does: of the schemas `olm.template.basic` and `olm.semver`.
 * @param render renders the bundle of an image
 * @returns undefined if the file is not a template
 * @throws OpSdkError with all findings; `catalog/not-renderable` for templates of other schemas
 */
export async function renderTemplate(
  { path, shown }: Place,
  render: (image: string) => Promise<CatalogueBundle>,
): Promise<readonly RenderedDocument[] | undefined> {
  const entry = await stat(path);
  if (!entry.isFile() || entry.size > mostBytes) return undefined;
  const text = await readYamlFile(path, shown, mostBytes);
  // Anything else is read document by document.
  if (!/olm\.(?:template\.|semver|composite)/.test(text)) return undefined;
  const [document, second] = parseKubernetesYaml(text, shown);
  const schema = textOf(mapOf(document?.value)['schema']);
  if (document === undefined || !isTemplateSchema(schema)) return undefined;
  if (!renderedSchemas.includes(schema)) throw notRendered(schema, shown, document);
  if (second !== undefined) throw several(schema, second);
  const renderAll = async (images: readonly string[]): Promise<Map<string, CatalogueBundle>> => {
    const rendered = new Map<string, CatalogueBundle>();
    for (const image of new Set(images)) rendered.set(image, await render(image));
    return rendered;
  };
  if (schema === basicSchema) {
    const entries = readBasicTemplate(document);
    const rendered = [...(await renderAll(basicImages(entries)))];
    const bundles = new Map(rendered.map(([image, bundle]) => [image, bundle.document]));
    return basicDocuments(entries, bundles).map((value, index) => {
      const { file, line } = document.locate(['entries', index]);
      return documentInMemory(value, unknownSchema(textOf(value['schema']), { file, line }));
    });
  }
  const template = readSemverTemplate(document);
  const rendered = [...(await renderAll(Object.values(template.images).flat()))];
  const bundles = new Map(rendered.map(([image, bundle]) => [image, templateBundle(bundle)]));
  return semverDocuments(template, bundles, shown).map((value) => documentInMemory(value));
}

function notRendered(schema: string, file: string, document: YamlDocument): OpSdkError {
  return new OpSdkError({
    code: 'catalog/not-renderable',
    message: `templates of the schema ${schema} are not supported; expected ${renderedSchemas.join(' or ')}`,
    where: document.locate(['schema']),
    fix: [renderFix(schema, file)],
  });
}

/** opm reads the first document of the file, and is silent about the others. */
function several(schema: string, second: YamlDocument): OpSdkError {
  return new OpSdkError({
    code: 'catalog/invalid-template',
    message: `expected one document in the file of a template (${schema}), got a second`,
    where: second.locate([]),
    fix: ['move it below entries, or into a file of its own'],
  });
}

function templateBundle({ document, csv }: CatalogueBundle): TemplateBundle {
  return {
    document,
    description: textOf(fieldAt(csv.value, 'spec', 'description')),
    icon: packageIcon(csv.value),
  };
}

/** The icon of a ClusterServiceVersion as packages have it. */
export function packageIcon(csv: JsonMap): JsonMap | undefined {
  const [icon] = listOf(fieldAt(csv, 'spec', 'icon')).map(mapOf);
  const data = textOf(icon?.['base64data']).replace(/\s/g, '');
  return icon === undefined || data === ''
    ? undefined
    : { base64data: data, mediatype: textOf(icon['mediatype']) };
}

/** The schema of a template that is a catalogue but for its bundles, of which it lists the images. */
const basicSchema = 'olm.template.basic';

/**
 * Reads a template. Source: operator-registry `alpha/template/basic/basic.go`.
 * @returns its documents in their order
 * @throws OpSdkError with all findings
 */
function readBasicTemplate(document: YamlDocument): readonly JsonMap[] {
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
function basicImages(entries: readonly JsonMap[]): readonly string[] {
  return entries.filter(({ schema }) => schema === 'olm.bundle').map(({ image }) => jsonTextOf(image));
}

/** The documents of a template, with those of its bundles in place of their images. */
function basicDocuments(
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
