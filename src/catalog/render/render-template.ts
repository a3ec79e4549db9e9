import { stat } from 'node:fs/promises';
import type { Place } from '../../oci/index.ts';
import { fieldAt, listOf, mapOf, textOf } from '../../bundle/validate/fields.ts';
import type { JsonMap } from '../../util/json-map.ts';
import { parseKubernetesYaml, readYamlFile } from '../../yaml/index.ts';
import type { CatalogueBundle } from './render-bundle.ts';
import { readSemverTemplate, semverDocuments, semverSchema, type TemplateBundle } from './semver-template.ts';

/** Templates are lists of images. */
const mostBytes = 1024 * 1024;

/**
 * Renders a template of the schema `olm.semver`.
 * @param render renders the bundle of an image
 * @returns undefined if the file is not one
 * @throws OpSdkError with all findings
 */
export async function renderTemplate(
  { path, shown }: Place,
  render: (image: string) => Promise<CatalogueBundle>,
): Promise<readonly JsonMap[] | undefined> {
  const entry = await stat(path);
  if (!entry.isFile() || entry.size > mostBytes) return undefined;
  const text = await readYamlFile(path, shown);
  // Anything else is read document by document.
  if (!text.includes(semverSchema)) return undefined;
  const [document, second] = parseKubernetesYaml(text, shown);
  if (document === undefined || second !== undefined || mapOf(document.value)['schema'] !== semverSchema)
    return undefined;
  const template = readSemverTemplate(document);
  const rendered = new Map<string, TemplateBundle>();
  for (const image of new Set(Object.values(template.images).flat()))
    rendered.set(image, templateBundle(await render(image)));
  return semverDocuments(template, rendered, shown);
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
