import type { FindingList } from '../../errors/index.ts';
import { parseKubernetesYaml, type YamlDocument } from '../../yaml/index.ts';
import { isObject, type Json, type JsonObject } from '../resource.ts';
import { describe } from '../transform/field-spec.ts';
import type { Template } from './kustomization.ts';
import { reportParse } from './report-parse.ts';
import type { Path } from './value-reader.ts';

/** The annotations by which kustomize remembers things during a build. */
const internal = 'internal.config.kubernetes.io/';

const kustomizationFile = /(?:^|\/)(?:kustomization\.ya?ml|Kustomization)$/;

/**
 * Reads the resources of a file. The items of Lists come behind all other documents, as in kustomize.
 * @returns undefined if the file cannot be parsed
 */
export function readTemplates(
  text: string,
  file: string,
  findings: FindingList,
): readonly Template[] | undefined {
  const documents = reportParse(findings, () => parseKubernetesYaml(text, file));
  if (documents === undefined) return undefined;
  const queue = documents.map((document) => ({ value: document.value as Json, path: [] as Path, document }));
  const templates: Template[] = [];
  // The queue grows while it is read.
  for (const { value, path, document } of queue) {
    if (value === null || (isObject(value) && Object.keys(value).length === 0)) continue;
    const where = document.locate(path);
    const { kind, items } = isObject(value) ? value : {};
    if (typeof kind === 'string' && kind.endsWith('List') && (Array.isArray(items) || items === null)) {
      for (const [index, item] of (items ?? []).entries())
        queue.push({ value: item, path: [...path, 'items', index], document });
    } else if (isResource(value, path, document, findings)) {
      templates.push({ object: value, where });
    }
  }
  return templates;
}

function isResource(
  value: Json,
  path: Path,
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
          : 'complete the object, or take it out of the file',
      ],
    });
    return false;
  }
  const wrong = (at: Path, message: string, fix: string): void =>
    findings.add({
      code: 'kustomize/invalid-resource',
      message: `${at.join('.')}: ${message}`,
      where: document.locate([...path, ...at]),
      fix: [fix],
    });
  let isSound = true;
  const text = (at: Path, given: Json | undefined): void => {
    if (typeof given === 'string') return;
    isSound = false;
    const fix = given === null || typeof given === 'object' ? 'write text' : `put it into quotes: "${given}"`;
    wrong(at, `it is ${describe(given ?? null)}, where text is expected`, fix);
  };
  for (const [name, given] of Object.entries(required)) text(name.split('.'), given);
  if ((metadata['namespace'] ?? null) !== null) text(['metadata', 'namespace'], metadata['namespace']);
  for (const field of ['labels', 'annotations']) {
    const pairs = metadata[field] ?? null;
    if (pairs !== null && !isObject(pairs)) {
      isSound = false;
      wrong(['metadata', field], `it is ${describe(pairs)}, where a mapping is expected`, 'correct it');
      continue;
    }
    for (const [key, given] of Object.entries(pairs ?? {})) {
      text(['metadata', field, key], given);
      if (field !== 'annotations' || !key.startsWith(internal)) continue;
      isSound = false;
      wrong(['metadata', field, key], 'kustomize uses this annotation inside itself', 'take it out');
    }
  }
  return isSound;
}
