import { readdir, stat } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { basename, join } from 'node:path';
import { isOpSdkError, OpSdkError } from '../../errors/index.ts';
import { groupOf } from '../../util/api-version.ts';
import { errnoText } from '../../util/fs.ts';
import {
  YamlBudget,
  cutYamlStream,
  isEmptyDocument,
  parseKubernetesYaml,
  type YamlDocument,
} from '../../yaml/index.ts';
import { compareCodeUnits, isJsonMap } from '../../util/json-map.ts';
import type { FindingCollector } from './collect-findings.ts';
import { mapOf, textOf } from './fields.ts';
import { readText } from './read-text.ts';
import type { BundleObject, LoadedBundle, PlacedDocument } from './types.ts';

/** More files than this are no bundle, but a folder that was named by mistake. */
const MOST_FILES = 2000;

/**
 * Reads a bundle's folder and reports everything in it that cannot be read as a bundle.
 *
 * @param path of the folder, absolute
 * @param dir the folder as findings name it
 * @returns undefined, after a report, if the folder has no `manifests` or no `metadata`
 */
export async function loadBundle(
  path: string,
  dir: string,
  collector: FindingCollector,
): Promise<LoadedBundle | undefined> {
  if (!(await hasParts(path, dir, collector))) return undefined;
  const budget = new YamlBudget();
  const manifests = await readFolder(path, dir, 'manifests', budget, collector);
  const metadata = await readFolder(path, dir, 'metadata', budget, collector);
  const objects = manifests.files.flatMap((file) => objectsOf(file, collector));
  const csvs = objects.filter(({ kind }) => kind === 'ClusterServiceVersion');
  for (const extra of csvs.slice(1)) {
    collector.error(
      'bundle/several-csvs',
      [extra, ['kind']],
      `the bundle has ${csvs.length} ClusterServiceVersions; one version of an operator is one bundle`,
      'keep one of them, and create a separate bundle for each other',
    );
  }
  if (csvs.length === 0 && manifests.complete) {
    collector.error(
      'bundle/no-csv',
      { file: join(dir, 'manifests') },
      'no file of manifests/ holds a ClusterServiceVersion, so there is nothing to install',
      'create the bundle with `op-sdk generate bundle`',
    );
  }
  const documents = metadata.files.flatMap((file) => metadataOf(file, collector));
  return {
    path,
    dir,
    objects,
    csv: csvs.length === 1 ? csvs[0] : undefined,
    crds: objects.filter(
      ({ apiVersion, kind }) =>
        kind === 'CustomResourceDefinition' && groupOf(apiVersion) === 'apiextensions.k8s.io',
    ),
    annotations: documents.find(({ value }) => isAnnotations(value['annotations'])),
    dependencies: documents.find(({ value }) => 'dependencies' in value),
    properties: documents.find(({ value }) => 'properties' in value),
    complete: manifests.complete,
  };
}

async function hasParts(path: string, dir: string, collector: FindingCollector): Promise<boolean> {
  const missing: string[] = [];
  for (const part of ['manifests', 'metadata']) {
    const entry = await stat(join(path, part)).catch(() => undefined);
    if (entry?.isDirectory() !== true) missing.push(part);
  }
  const inner = await stat(join(path, 'bundle', 'manifests')).catch(() => undefined);
  for (const part of missing) {
    collector.error(
      'bundle/missing-folder',
      { file: dir },
      `${dir} has no folder ${part}`,
      ...(inner?.isDirectory() === true ? [`name the bundle itself: ${join(dir, 'bundle')}`] : []),
      'create the bundle with `op-sdk generate bundle`',
    );
  }
  return missing.length === 0;
}

/** Go reads the annotations into a map of texts: other scalars become texts, other values make the file unreadable. */
function isAnnotations(value: unknown): boolean {
  return isJsonMap(value) && Object.values(value).every((item) => typeof item !== 'object' || item === null);
}

/** A file that was read and parsed. */
interface ParsedFile {
  readonly file: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

async function readFolder(
  path: string,
  dir: string,
  part: 'manifests' | 'metadata',
  budget: YamlBudget,
  collector: FindingCollector,
): Promise<{ readonly files: readonly ParsedFile[]; readonly complete: boolean }> {
  const entries = await list(join(path, part), join(dir, part));
  const files: ParsedFile[] = [];
  let complete = true;
  for (const entry of entries.slice(0, MOST_FILES)) {
    const file = join(dir, part, entry.name);
    // OLM looks for its two or three files among whatever else lies in metadata/.
    if (part === 'metadata' && (entry.isDirectory() || !/\.(?:ya?ml|json)$/.test(entry.name))) continue;
    const parsed = isPlain(entry, file, part, collector)
      ? await readOne(join(path, part, entry.name), file, part, budget, collector)
      : undefined;
    if (parsed === undefined) complete = false;
    else files.push(parsed);
  }
  if (entries.length > MOST_FILES) {
    complete = false;
    const message = `${join(dir, part)} holds ${entries.length} files; only the first ${MOST_FILES} are read`;
    collector.error(
      'bundle/unexpected-file',
      { file: join(dir, part) },
      message,
      'name the folder of a bundle',
    );
  }
  return { files, complete };
}

async function list(path: string, shown: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.sort((a, b) => compareCodeUnits(a.name, b.name));
  } catch (error) {
    const message = `cannot read ${shown}: ${errnoText(error)}`;
    throw new OpSdkError({ code: 'io/cannot-read', message, where: { file: shown } });
  }
}

function isPlain(entry: Dirent, file: string, part: string, { error }: FindingCollector): boolean {
  const what = entry.isDirectory()
    ? 'is a folder'
    : entry.isSymbolicLink()
      ? 'is a symbolic link'
      : !entry.isFile()
        ? 'is not a regular file'
        : entry.name.startsWith('.')
          ? 'is a hidden file'
          : undefined;
  if (what === undefined) return true;
  const message = `${file} ${what}; ${part}/ holds regular files only, all of them visible`;
  error('bundle/unexpected-file', { file }, message, `move ${basename(file)} out of the bundle`);
  return false;
}

async function readOne(
  path: string,
  file: string,
  part: 'manifests' | 'metadata',
  budget: YamlBudget,
  collector: FindingCollector,
): Promise<ParsedFile | undefined> {
  try {
    const { size } = await stat(path);
    const text = await readText(path, file, size, collector);
    if (text === undefined) return undefined;
    checkFirstDocument(text, file, collector);
    const documents = parseKubernetesYaml(text, file, { budget, roundIntegers: true });
    return { file, text, values: documents.map(({ value }) => value) };
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    // What OLM looks for in metadata/ it looks for in every file, and passes over those that it cannot read.
    if (part === 'metadata') collector.addWarnings(error.findings);
    else collector.addErrors(error.findings);
    return undefined;
  }
}

/** All of operator-framework reads the first document of a file, and takes a comment before `---` for one. */
function checkFirstDocument(text: string, file: string, collector: FindingCollector): void {
  const documents = cutYamlStream(text);
  const content = documents.findIndex((document) => !isEmptyDocument(document.text));
  if (content < 1) return;
  const line = (documents[content]?.line ?? 1) - 1;
  collector.addErrors([
    {
      code: 'bundle/empty-first-document',
      message: `the first document of ${file} is empty: OLM and its tools take the lines above this \`---\` for the object`,
      where: { file, line, column: 1 },
      fix: ['remove the `---` line'],
    },
  ]);
}

function objectsOf(
  { file, text, values }: ParsedFile,
  { error, warn }: FindingCollector,
): readonly BundleObject[] {
  if (values.length === 0)
    error(
      'bundle/not-a-manifest',
      { file },
      `${file} holds no object`,
      'write the object, or remove the file',
    );
  return values.flatMap((value, index) => {
    const document = placed(file, text, mapOf(value), index);
    const object = { ...document, ...identityOf(document.value) };
    if (index === 1) {
      warn(
        'bundle/several-documents',
        [object, []],
        `${file} holds ${values.length} YAML documents; OLM reads the first one of a file and loses the others`,
        'put each object into a file of its own',
      );
    }
    // The others are lost: what they say cannot be wrong.
    return index === 0 ? [object] : [];
  });
}

function metadataOf(
  { file, text, values }: ParsedFile,
  { warn }: FindingCollector,
): readonly PlacedDocument[] {
  const [value] = values;
  if (values.length > 1) {
    const message = `${file} holds ${values.length} YAML documents; OLM reads the first one only`;
    warn('bundle/several-documents', { file }, message, 'leave one of them');
  }
  return isJsonMap(value) ? [placed(file, text, value, 0)] : [];
}

function placed(file: string, text: string, value: PlacedDocument['value'], index: number): PlacedDocument {
  const reread = (): YamlDocument => {
    const document = parseKubernetesYaml(text, file, { roundIntegers: true })[index];
    // The same text gave this document before.
    if (document === undefined) throw new TypeError(`${file} has no document ${index}`);
    return document;
  };
  return { file, value, reread };
}

function identityOf(value: PlacedDocument['value']): { apiVersion: string; kind: string; name: string } {
  return {
    apiVersion: textOf(value['apiVersion']),
    kind: textOf(value['kind']),
    name: textOf(mapOf(value['metadata'])['name']),
  };
}
