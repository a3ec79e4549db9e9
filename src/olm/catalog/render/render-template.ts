import { stat } from 'node:fs/promises';
import type { Place } from '../../../images/index.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../bundle/validate/fields.ts';
import type { JsonMap } from '../../../base/util/json-map.ts';
import { OpSdkError } from '../../../base/errors/index.ts';
import { parseKubernetesYaml, readYamlFile, type YamlDocument } from '../../../kubernetes/yaml/index.ts';
import { isTemplateSchema, renderedSchemas, renderFix, unknownSchema } from '../rules/check-schemas.ts';
import { basicDocuments, basicImages, basicSchema, readBasicTemplate } from './basic-template.ts';
import type { CatalogueBundle } from './render-bundle.ts';
import { documentInMemory, type RenderedDocument } from './render-documents.ts';
import { readSemverTemplate, semverDocuments, type TemplateBundle } from './semver-template.ts';

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
