import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isOpSdkError, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { readFileOf } from '../../project/project/index.ts';
import {
  changeFor,
  type FilePlan,
  isMachineDocument,
  type FileChange,
} from '../../project/scaffold/index.ts';
import { errnoOf, errnoText } from '../../base/util/fs.ts';
import {
  parseKubernetesYaml,
  parseYaml,
  withoutMarkerAfterComment,
  YamlBudget,
  yamlLimits,
  removeFromYamlMap,
  setInYamlMap,
  YamlSpliceError,
} from '../../kubernetes/yaml/index.ts';
import { asText, compareCodeUnits, isJsonMap, jsonMapOf, type JsonMap } from '../../base/util/json-map.ts';
import { isLeftover } from '../../base/util/folders.ts';
import {
  bundleDockerfile,
  bundleFiles,
  bundleFolders,
  isBundleKey,
  isImageLabel,
  metadataSourceNames,
} from './metadata.ts';
import { manifestTemplate, type RenderedBundle } from './check-planned.ts';
import { dockerfileLabels } from './validate/dockerfile.ts';

/** Planned changes to the files of a bundle, and warnings about its existing files. */
export interface BundlePlan {
  readonly plan: FilePlan;
  readonly warnings: readonly Finding[];
}

interface BundlePlanOptions {
  /** Absolute path of the project. */
  readonly root: string;
  /** The bundle's folder, relative to `root`, with forward slashes. */
  readonly folder: string;
  /** True to overwrite annotations.yaml and bundle.Dockerfile. */
  readonly overwrite: boolean;
}

/**
 * Plans the changes that turn the existing folder into the bundle. Deletes a manifest of an earlier run if the bundle no longer contains
 * it. Keeps a manifest that somebody else wrote or edited, and warns of it, because OLM would install it too.
 */
export async function planBundle(
  rendered: RenderedBundle,
  { root, folder, overwrite }: BundlePlanOptions,
): Promise<BundlePlan> {
  const changes: FileChange[] = [];
  const warnings: Finding[] = [];
  const budget = new YamlBudget({ values: yamlLimits.valuesOfBundle });
  for (const file of rendered.manifests) changes.push(await changeFor(root, file));
  for (const file of rendered.sources) changes.push(await replaceSource(root, file, budget));
  for (const file of rendered.metadata) {
    const change = await changeFor(root, file);
    const isAnnotations = file.path === `${folder}/${bundleFiles.annotations}`;
    if (change.action !== 'update') changes.push(change);
    else if (!overwrite) changes.push(keep(change));
    else changes.push(isAnnotations ? spliced(change) : change);
  }
  for (const change of changes) {
    if (change.action === 'update' && change.path === bundleDockerfile)
      warnings.push(...lostDockerfileLines(change.before, textOf(change)));
  }
  const current = new Set(rendered.manifests.map(({ path }) => path));
  const manifests = `${folder}/manifests`;
  const paths = (await listFolder(root, manifests)).map((name) => `${manifests}/${name}`);
  const scorecard = `${folder}/${bundleFiles.scorecard}`;
  for (const path of [...paths, scorecard].filter((candidate) => !current.has(candidate))) {
    const before = await readFileOf(root, path);
    if (before === undefined) continue;
    if (await isOurs(before, path, budget)) {
      changes.push({ action: 'delete', path, before });
    } else {
      warnings.push({
        code: 'bundle/unknown-file',
        message:
          'the bundle contains a file that op-sdk did not write, or that was edited since: the file is kept, and its objects are installed with the operator',
        where: { file: path },
        fix: [
          'delete the file if it does not belong into the bundle',
          'otherwise move its objects into the kustomization, so that op-sdk writes them with the others',
        ],
      });
    }
  }
  for (const name of metadataSourceNames) {
    const path = `${folder}/${bundleFolders.metadata}${name}`;
    const before = rendered.sources.some((file) => file.path === path)
      ? undefined
      : await readFileOf(root, path);
    if (before !== undefined && (await isOurs(before, path, budget)))
      changes.push({ action: 'delete', path, before });
  }
  return { plan: { root, changes: changes.sort((a, b) => compareCodeUnits(a.path, b.path)) }, warnings };
}

/**
 * Plans to write a file of `metadata/` that comes from the folder of the base ClusterServiceVersion.
 * @throws OpSdkError `bundle/unknown-file` if the file exists with content that op-sdk did not write
 */
async function replaceSource(
  root: string,
  { source, ...file }: RenderedBundle['sources'][number],
  budget: YamlBudget,
): Promise<FileChange> {
  const change = await changeFor(root, file);
  if (change.action !== 'update' || (await isOurs(change.before, file.path, budget))) return change;
  throw new OpSdkError({
    code: 'bundle/unknown-file',
    message: `this file would be overwritten from ${source}, but op-sdk did not write the file, or it was edited since`,
    where: { file: file.path },
    fix: [
      `write the content of this file into ${source}, and delete this file`,
      `or delete ${source}: this file then stays`,
    ],
  });
}

type Update = Extract<FileChange, { action: 'update' }>;

/** Returns the new content of a file of a bundle, all of which are texts. */
const textOf = ({ content }: Update): string => (typeof content === 'string' ? content : '');

/**
 * Changes only the annotations that differ in annotations.yaml. Comments, order and quotes in the file stay, because people may have edited
 * the file.
 */
function spliced(change: Update): FileChange {
  const { path, before } = change;
  const annotationsIn = (text: string): JsonMap =>
    jsonMapOf(jsonMapOf(parseYaml(text, path).value)['annotations']);
  try {
    const wanted = annotationsIn(textOf(change));
    const written = annotationsIn(before);
    const gone = Object.keys(written).filter((key) => !(key in wanted));
    // Set only the changed entries, because each edit reads the file once more.
    const changed = Object.entries(wanted).filter(([key, value]) => written[key] !== value);
    const content = gone.reduce(
      (text, key) => removeFromYamlMap(text, ['annotations'], key),
      setInYamlMap(withoutMarkerAfterComment(before), ['annotations'], Object.fromEntries(changed)),
    );
    return content === before ? { action: 'unchanged', path } : { ...change, content };
  } catch (error) {
    // Rewrite the entire file, because some forms of YAML, such as flow style and anchors, cannot be edited in place.
    if (error instanceof YamlSpliceError) return change;
    throw error;
  }
}

/**
 * Keeps a file that may not be overwritten. Removes only a `---` line below the header comment, because OLM would otherwise read nothing
 * but the header.
 */
function keep({ path, before }: Update): FileChange {
  const content = withoutMarkerAfterComment(before);
  return content === before ? { action: 'unchanged', path } : { action: 'update', path, content, before };
}

/**
 * Maximum number of YAML values in annotations.yaml, many times the number in any bundle. Keys count as values, and a long text counts as
 * several values.
 */
const MOST_ANNOTATIONS = 1000;

/**
 * Returns the annotations that somebody added to the bundle's annotations.yaml. These annotations are kept, and become labels of the image.
 * @param folder the bundle's folder, relative to `root`, with forward slashes
 * @throws OpSdkError if the file cannot be read as annotations
 */
export async function ownAnnotations(
  root: string,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const file = `${folder}/${bundleFiles.annotations}`;
  const text = await readFileOf(root, file);
  if (text === undefined) return {};
  // Check the size with the fast parser first, because the parser that keeps the formatting is slow.
  parseKubernetesYaml(text, file, { budget: new YamlBudget({ values: MOST_ANNOTATIONS }) });
  const document = parseYaml(text, file);
  const annotations = isJsonMap(document.value) ? (document.value['annotations'] ?? {}) : undefined;
  const wrong = (message: string, path: readonly string[]): OpSdkError =>
    new OpSdkError({
      code: 'bundle/invalid-object',
      message,
      where: document.locate(path),
      fix: ['correct the file, or delete it: op-sdk writes its own annotations again'],
    });
  if (!isJsonMap(annotations)) throw wrong('`annotations` is not a map', ['annotations']);
  const own = Object.entries(annotations).filter(([key]) => !isBundleKey(key));
  return Object.fromEntries(
    own.map(([key, value]) => {
      if (!isImageLabel(key, value))
        throw wrong(`the annotation ${key} cannot be a label of an image: it is not one line of text`, [
          'annotations',
          key,
        ]);
      return [key, value];
    }),
  );
}

/**
 * Returns the annotation `createdAt` of the ClusterServiceVersion in a bundle's folder; undefined if the folder has no readable
 * ClusterServiceVersion.
 */
export async function writtenCreatedAt(
  root: string,
  folder: string,
  packageName: string,
): Promise<string | undefined> {
  const file = `${folder}/${bundleFiles.csv(packageName)}`;
  const text = await readFileOf(root, file);
  if (text === undefined) return undefined;
  try {
    const metadata = jsonMapOf(jsonMapOf(parseKubernetesYaml(text, file)[0]?.value)['metadata']);
    return asText(jsonMapOf(metadata['annotations'])['createdAt']) || undefined;
  } catch (error) {
    // Ignore the error, because the unreadable file is about to be replaced.
    if (isOpSdkError(error)) return undefined;
    throw error;
  }
}

/** Returns true if op-sdk wrote the file: its text equals, byte for byte, the text that op-sdk renders for the document in it. */
async function isOurs(text: string, path: string, budget: YamlBudget): Promise<boolean> {
  try {
    const [first, ...more] = parseKubernetesYaml(text, path, { budget });
    if (more.length > 0 || !isJsonMap(first?.value)) return false;
    return await isMachineDocument(text, manifestTemplate, first.value);
  } catch (error) {
    // op-sdk did not write this file, because it cannot be read.
    if (isOpSdkError(error)) return false;
    throw error;
  }
}

async function listFolder(root: string, folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && !isLeftover(entry.name))
      .map((entry) => entry.name)
      .sort(compareCodeUnits);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return [];
    throw new OpSdkError(
      {
        code: 'io/cannot-read',
        message: `the folder ${folder} cannot be read: ${errnoText(error)}`,
        where: { file: folder },
        fix: ['check its permissions'],
      },
      { cause: error },
    );
  }
}

/** Matches the instructions that op-sdk writes into a Dockerfile. Any LABEL matches, because the labels are compared one by one. */
const ownInstruction = new RegExp(
  `^(?:FROM scratch|LABEL .*|COPY \\S+ /(?:${Object.values(bundleFolders).join('|')}))\\s*$`,
);

/**
 * Returns a warning for each part of a bundle's Dockerfile that somebody wrote and the new text lacks. Such parts are labels without an
 * annotation, and instructions that op-sdk does not write.
 */
function lostDockerfileLines(before: string, after: string): readonly Finding[] {
  const kept = new Set(dockerfileLabels(after).map(({ key }) => key));
  const labels = dockerfileLabels(before)
    .filter(({ key }) => !isBundleKey(key) && !kept.has(key))
    .map(({ key, line }) =>
      lost(line, `the label ${key}`, `write ${key} into metadata/annotations.yaml: labels are made from it`),
    );
  const keptLines = new Set(after.split('\n').map((text) => text.trim()));
  const lines = before.split('\n').map((raw) => raw.trim());
  const others = lines.flatMap((text, index) => {
    // Skip a continuation line, because it is reported with the first line of its instruction.
    if (lines[index - 1]?.endsWith('\\') === true) return [];
    if (text === '' || text.startsWith('#') || keptLines.has(text) || ownInstruction.test(text)) return [];
    const fix = `put your own template into .op-sdk/templates/bundle/${bundleDockerfile}.hbs`;
    return [lost(index + 1, JSON.stringify(text), fix)];
  });
  return [...labels, ...others].sort((a, b) => a.where.line - b.where.line);
}

function lost(
  line: number,
  what: string,
  fix: string,
): Finding & { readonly where: { readonly file: string; readonly line: number } } {
  return {
    code: 'bundle/dockerfile-edited',
    message: `${what} was not written by op-sdk, and was lost when op-sdk overwrote the Dockerfile`,
    where: { file: bundleDockerfile, line },
    fix: [fix, 'or keep the file as it is with --overwrite=false'],
  };
}
