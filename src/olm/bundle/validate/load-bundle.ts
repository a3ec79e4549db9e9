import { join } from 'node:path';
import { isJsonMap } from '../../../base/util/json-map.ts';
import { leadsInside } from '../../../base/util/folders.ts';
import {
  YamlBudget,
  yamlLimits,
  parseKubernetesYaml,
  type KubernetesDocument,
  tooLargeYaml,
  isEmptyDocument,
  yamlStreamParts,
  type StreamPart,
} from '../../../kubernetes/yaml/index.ts';
import { isOpSdkError, type Finding } from '../../../base/errors/index.ts';
import { statsAt } from '../../../base/util/fs.ts';
import { csvSpec, foldFields } from './csv-shape/shape.ts';
import { mapOf, textOf } from './fields.ts';
import type { FindingCollector } from './findings/collect-findings.ts';
import { fileReport } from './rules/files.ts';
import { readFolder, reportUnread } from './read-folder.ts';
import type { BundleObject, LoadedBundle, PlacedDocument } from './types.ts';

/**
 * Reads a bundle's folder. Reports everything in the folder that cannot be read as part of a bundle. Source: operator-framework/api
 * `pkg/manifests/bundleloader.go`, operator-registry `pkg/lib/bundle/validate.go`.
 * @param path absolute path of the folder
 * @param dir path of the folder as it appears in findings
 * @returns undefined, after a report, if the folder has no `manifests` or no `metadata`
 */
export async function loadBundle(
  path: string,
  dir: string,
  collector: FindingCollector,
): Promise<LoadedBundle | undefined> {
  if (!(await hasParts(path, dir, collector))) return undefined;
  const budget = new YamlBudget({ values: yamlLimits.valuesOfBundle });
  const manifests = await readManifests(path, dir, budget, collector);
  const metadata = await readMetadata(path, dir, budget, collector);
  const objects = manifests.documents.map(objectOf);
  return {
    path,
    dir,
    objects,
    csv: foldedCsv(onlyCsv(objects, collector)),
    crds: objects.filter(({ kind }) => kind === 'CustomResourceDefinition').filter(isDefinition(collector)),
    annotations: metadata.find(({ value }) => isAnnotations(value['annotations'])),
    dependencies: metadata.find(({ value }) => 'dependencies' in value),
    properties: metadata.find(({ value }) => 'properties' in value),
    metadata,
    complete: manifests.complete,
  };
}

async function hasParts(path: string, dir: string, collector: FindingCollector): Promise<boolean> {
  const missing: string[] = [];
  const outside: string[] = [];
  for (const part of ['manifests', 'metadata']) {
    const entry = await statsAt(join(path, part));
    if (entry?.isDirectory() !== true) missing.push(part);
    else if (!(await leadsInside(path, join(path, part)))) outside.push(join(dir, part));
  }
  const inner = await statsAt(join(path, 'bundle', 'manifests'));
  for (const part of missing) {
    fileReport(collector, 'format').error(
      'bundle/missing-folder',
      { file: dir },
      `${dir} has no folder ${part}`,
      ...(inner?.isDirectory() === true ? [`name the bundle itself: ${join(dir, 'bundle')}`] : []),
      'create the bundle with `op-sdk generate bundle`',
    );
  }
  for (const file of outside) {
    const message = `${file} is a symbolic link to a place outside of the bundle`;
    const fix = 'replace the link by the folder that it leads to';
    fileReport(collector, 'format').error('bundle/unexpected-file', { file }, message, fix);
  }
  return missing.length === 0 && outside.length === 0;
}

/** Reads the first document of every file in manifests/. OLM ignores all further documents. */
async function readManifests(
  path: string,
  dir: string,
  budget: YamlBudget,
  collector: FindingCollector,
): Promise<{ readonly documents: readonly ReadDocument[]; readonly complete: boolean }> {
  const format = fileReport(collector, 'format');
  const folder = await readFolder({ path, dir, part: 'manifests', budget }, collector);
  const documents: ReadDocument[] = [];
  let { complete } = folder;
  for (const { file, text } of folder.files) {
    const document = readDocument(text, file, budget, (findings) => {
      complete = false;
      reportUnread('manifests', findings, collector);
    });
    if (document === undefined) continue;
    if (document === 'empty') {
      format.error(
        'bundle/not-a-manifest',
        { file },
        `${file} holds no object`,
        'write the object, or remove the file',
      );
      continue;
    }
    checkFirstDocument(document, collector);
    documents.push(document);
  }
  return { documents, complete };
}

/** Reads the metadata in the same way as OLM: from every file in metadata/, skipping unreadable files. */
async function readMetadata(
  path: string,
  dir: string,
  budget: YamlBudget,
  collector: FindingCollector,
): Promise<readonly (ReadDocument & { readonly documents: number })[]> {
  const folder = await readFolder({ path, dir, part: 'metadata', budget }, collector);
  return folder.files.flatMap(({ file, text }) => {
    const document = readDocument(text, file, budget, (findings) =>
      reportUnread('metadata', findings, collector),
    );
    if (document === undefined || document === 'empty') return [];
    checkFirstDocument(document, collector);
    return document.isMap ? [document] : [];
  });
}

/**
 * Reports an empty first document, and any further documents. The tools of operator-framework read only the first document of a file, even
 * if this document contains only a comment before `---`.
 */
function checkFirstDocument(
  { file, firstLine, documents, object }: ReadDocument,
  collector: FindingCollector,
): void {
  if (firstLine > 1)
    fileReport(collector, 'format').error(
      'bundle/empty-first-document',
      { file, line: firstLine - 1 },
      `the first document of ${file} is empty: OLM and its tools take the lines above this \`---\` for the object`,
      'remove the `---` line',
    );
  if (documents > 1)
    fileReport(collector, 'opsdk').warn(
      'bundle/several-documents',
      [object, []],
      `${file} holds ${documents} YAML documents; OLM reads the first one of a file and loses the others`,
      'put each object into a file of its own',
    );
}

function onlyCsv(objects: readonly BundleObject[], collector: FindingCollector): BundleObject | undefined {
  const csvs = objects.filter(({ kind }) => kind === 'ClusterServiceVersion');
  for (const extra of csvs.slice(1)) {
    fileReport(collector, 'format').error(
      'bundle/several-csvs',
      [extra, ['kind']],
      `the bundle has ${csvs.length} ClusterServiceVersions; one version of an operator is one bundle`,
      'keep one of them, and create a separate bundle for each other',
    );
  }
  return csvs.length === 1 ? csvs[0] : undefined;
}

/**
 * Returns the ClusterServiceVersion with its field names in their canonical case, because Go ignores the case. The validator `opsdk` checks
 * the original object instead, because the API server drops fields whose names are in another case.
 */
function foldedCsv(csv: BundleObject | undefined): BundleObject | undefined {
  if (csv === undefined) return undefined;
  const spec = foldFields(csv.value['spec'], csvSpec);
  return spec === csv.value['spec'] ? csv : { ...csv, value: { ...csv.value, spec } };
}

/** Returns a filter that reports and removes CRDs with an apiVersion that never existed. */
function isDefinition(collector: FindingCollector): (object: BundleObject) => boolean {
  return (object) => {
    const { apiVersion } = object;
    if (apiVersion === 'apiextensions.k8s.io/v1' || apiVersion === 'apiextensions.k8s.io/v1beta1')
      return true;
    const message = `expected a CustomResourceDefinition of apiextensions.k8s.io/v1, got ${JSON.stringify(apiVersion)}`;
    fileReport(collector, 'format').error(
      'bundle/removed-crd-version',
      [object, ['apiVersion']],
      message,
      'write it as apiextensions.k8s.io/v1',
    );
    return false;
  };
}

/**
 * Returns true for annotations that Go can decode into a `map[string]string`. Go converts other scalars to text, but cannot read a file in
 * which an annotation's value is a list or a mapping.
 */
function isAnnotations(value: unknown): boolean {
  return isJsonMap(value) && Object.values(value).every((item) => typeof item !== 'object' || item === null);
}

function objectOf({ object }: ReadDocument): BundleObject {
  const { value } = object;
  return {
    ...object,
    apiVersion: textOf(value['apiVersion']),
    kind: textOf(value['kind']),
    name: textOf(mapOf(value['metadata'])['name']),
  };
}

/** The first non-empty document of a file. */
interface ReadDocument extends PlacedDocument {
  /** The document; replaced by an empty mapping if the document is not a mapping. */
  readonly object: PlacedDocument;
  readonly isMap: boolean;
  /** Number of non-empty documents in the file. */
  readonly documents: number;
  /** Line number at which the document begins: 1, unless empty documents come before it. */
  readonly firstLine: number;
}

/**
 * Reads the only document of a file that OLM reads.
 * @param refuse receives the findings if the document cannot be read
 * @returns undefined after findings; `empty` if the file has no document
 */
function readDocument(
  text: string,
  file: string,
  budget: YamlBudget,
  refuse: (findings: readonly Finding[]) => void,
): ReadDocument | 'empty' | undefined {
  let first: StreamPart | undefined;
  let isOwn = false;
  let documents = 0;
  for (const part of yamlStreamParts(text)) {
    if (isEmptyDocument(part.text)) continue;
    documents += 1;
    if (first !== undefined) continue;
    first = part;
    isOwn = part.line === 1;
  }
  if (first === undefined) return 'empty';
  // Do not parse the documents after the first one, because OLM ignores them. Keep the text before the first document, so that line numbers
  // stay correct.
  const own = isOwn ? first.text : text;
  const before = budget.left('values');
  let document: KubernetesDocument | undefined;
  try {
    [document] = parseKubernetesYaml(own, file, { roundIntegers: true, budget });
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    refuse(error.findings);
    return undefined;
  }
  if (document === undefined) return 'empty';
  if (before - budget.left('values') > yamlLimits.valuesOfObject) {
    refuse([tooLargeYaml('valuesOfObject', { file, line: first.line, column: 1 })]);
    return undefined;
  }
  const { value, reread } = document;
  const object: PlacedDocument = { file, value: mapOf(value), reread };
  const isMap = isJsonMap(value);
  return { ...object, object, isMap, documents, firstLine: first.line };
}
