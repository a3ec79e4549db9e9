import type { FindingList } from '../../../base/errors/index.ts';
import { mapped, object, record, string } from '../../../base/util/json-reader.ts';
import {
  documentStyle,
  placeInside,
  problemFindings,
  readJson,
  type JsonPath,
  type JsonReader,
} from '../../../base/util/read-json.ts';
import { parseKubernetesYaml, type YamlDocument } from '../../yaml/index.ts';
import { internalAnnotations } from '../resource.ts';
import { isObject, type Json, type JsonObject } from '../../objects/index.ts';
import { noteWritten } from '../written-values.ts';
import { type Template, reportParse } from './kustomization.ts';

const kustomizationFile = /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/;

/**
 * Reads the resources of a file. As in kustomize, the items of Lists come after all other documents.
 * @returns undefined if the file cannot be parsed
 */
export function readTemplates(
  text: string,
  file: string,
  findings: FindingList,
): readonly Template[] | undefined {
  const documents = reportParse(findings, () => parseKubernetesYaml(text, file, { reader: 'kustomize' }));
  if (documents === undefined) return undefined;
  const queue = documents.map((document) => ({
    value: document.value as Json,
    path: [] as JsonPath,
    document,
  }));
  const templates: Template[] = [];
  // The loop appends the items of Lists to `queue` while it runs.
  for (const { value, path, document } of queue) {
    if (value === null || (isObject(value) && Object.keys(value).length === 0)) continue;
    const where = document.locate(path);
    const { kind, items } = isObject(value) ? value : {};
    if (typeof kind === 'string' && kind.endsWith('List') && (Array.isArray(items) || items === null)) {
      for (const [index, item] of (items ?? []).entries())
        queue.push({ value: item, path: [...path, 'items', index], document });
      continue;
    }
    noteWritten(value, document.texts, path);
    if (isResource(value, path, document, findings)) {
      templates.push({ object: value, where });
    }
  }
  return templates;
}

function isResource(
  value: Json,
  path: JsonPath,
  document: YamlDocument,
  findings: FindingList,
): value is JsonObject {
  const object = isObject(value) ? value : {};
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const required = {
    apiVersion: object['apiVersion'],
    kind: object['kind'],
    'metadata.name': metadata['name'],
  };
  const missing = Object.keys(required).filter(
    (name) => (required[name as keyof typeof required] ?? '') === '',
  );
  if (missing.length > 0) {
    const where = document.locate(path);
    const isKustomization =
      object['kind'] === 'Kustomization' ||
      object['kind'] === 'Component' ||
      kustomizationFile.test(where.file);
    findings.add({
      code: 'io/not-an-object',
      message: `expected a Kubernetes object: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
      where,
      fix: [
        isKustomization
          ? 'name the folder of the kustomization, not its file'
          : 'complete the object, or remove it from the file',
      ],
    });
    return false;
  }
  const { problems } = readJson(identityReader, value, 'the object', { style: documentStyle });
  const locate = (inner: JsonPath) => document.locate([...path, ...inner]);
  findings.add(...problemFindings(problems, locate, () => 'kustomize/invalid-resource'));
  return problems.length === 0;
}

/** Reads a text, number or boolean. kustomize accepts such values in labels, and converts them to text in annotations. */
const scalar: JsonReader<unknown> = (value, place) =>
  typeof value === 'string'
    ? string(value, place)
    : typeof value === 'number' || typeof value === 'boolean'
      ? value
      : value === null
        ? undefined
        : string(value, place);

const annotations = mapped(record(scalar), (read, place) => {
  for (const key of Object.keys(read).filter((name) => name.startsWith(internalAnnotations))) {
    const { path, label } = placeInside(place, key);
    const message = `${label}: this annotation cannot be set, as kustomize uses it internally`;
    place.report({ path, message, fix: 'remove it' });
  }
  return read;
});

/** Reads the fields that kustomize needs from each resource. */
const identityReader = object(
  {
    apiVersion: string,
    kind: string,
    metadata: object(
      { name: string, namespace: string, labels: record(scalar), annotations },
      { others: 'ignore' },
    ),
  },
  { others: 'ignore' },
);
