import { join, posix } from 'node:path';
import { FindingList, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { errnoOf, pathExists } from '../../base/util/fs.ts';
import {
  parseKubernetesYaml,
  readRegularYamlFile,
  withoutMarkerAfterComment,
  type YamlDocument,
  type YamlPlace,
} from '../../kubernetes/yaml/index.ts';

/** Contents of a bundle's `metadata/annotations.yaml`. */
export interface BundleMetadata {
  /** Annotations of the bundle, which are also the labels of its image. OLM reads either the annotations or the labels. */
  readonly annotations: Readonly<Record<string, string>>;
  /** Folders of the bundle that its image contains, without trailing slashes: `manifests`, `metadata`, `tests`. */
  readonly folders: readonly string[];
  /** Folder among `folders` that contains the objects. */
  readonly manifests: string;
  /** Path of annotations.yaml as shown in findings. */
  readonly file: string;
  readonly warnings: readonly Finding[];
  /** Returns the location of an annotation; without a key, returns the location of the entire annotations map. */
  locate(key?: string): YamlPlace;
}

const prefix = 'operators.operatorframework.io.bundle.';

/** Annotations that every reader of the bundle's image needs. Source: operator-registry, `pkg/lib/bundle`. */
const required = [
  `${prefix}mediatype.v1`,
  `${prefix}manifests.v1`,
  `${prefix}metadata.v1`,
  `${prefix}package.v1`,
];

/** Folder of the scorecard tests, and the annotation that names it. Source: operator-framework/api, scorecard. */
const tests = { folder: 'tests', annotation: 'operators.operatorframework.io.test.config.v1' };

/**
 * Reads the annotations in a bundle's folder, and determines which of the bundle's folders belong to the image.
 * @param folder absolute
 * @param shown the folder as shown in findings
 * @throws OpSdkError with all findings: `io/not-found`, `io/cannot-read`, `io/yaml-*`, `bundle/no-annotations`,
 *   `bundle/missing-annotation`, `bundle/invalid-annotation`, `bundle/missing-folder`
 */
export async function readBundleMetadata(folder: string, shown: string): Promise<BundleMetadata> {
  const file = `${shown}/metadata/annotations.yaml`;
  const document = await readAnnotationsFile(folder, shown, file);
  const findings = new FindingList();
  const warnings: Finding[] = [];
  const annotations = annotationsOf(document, file, findings);
  const locate = (key?: string): YamlPlace =>
    document.locate(key === undefined ? ['annotations'] : ['annotations', key]);
  for (const key of required.filter((name) => annotations[name] === undefined)) {
    if (findings.all.some(({ message }) => message.includes(key))) continue;
    findings.add({
      code: 'bundle/missing-annotation',
      message: `the annotation ${key} is missing`,
      where: locate(),
      fix: ['create the bundle again with `op-sdk generate bundle`'],
    });
  }
  const folders = await foldersOf(folder, shown, annotations, locate, findings, warnings);
  findings.throwIfAny();
  const manifests = folderIn(annotations[`${prefix}manifests.v1`] ?? '');
  return { annotations, folders, manifests, file, warnings, locate };
}

async function readAnnotationsFile(folder: string, shown: string, file: string): Promise<YamlDocument> {
  if (!(await pathExists(folder))) {
    throw new OpSdkError({
      code: 'io/not-found',
      message: `the folder ${shown} does not exist`,
      where: { file: shown },
      fix: ['create a bundle with `op-sdk generate bundle`, or name the folder of an existing bundle'],
    });
  }
  try {
    const text = await readRegularYamlFile(join(folder, 'metadata', 'annotations.yaml'), file);
    if (withoutMarkerAfterComment(text) !== text) throw emptyFirstDocument(file);
    return (
      parseKubernetesYaml(text, file)[0] ?? { value: null, locate: () => ({ file, line: 1, column: 1 }) }
    );
  } catch (error) {
    const reason = error instanceof OpSdkError ? errnoOf(error.cause) : undefined;
    if (reason !== 'ENOENT' && reason !== 'ENOTDIR') throw error;
    throw new OpSdkError(
      {
        code: 'bundle/no-annotations',
        message: `${shown} has no metadata/annotations.yaml, so it is not a bundle`,
        where: { file: shown },
        fix: ['create a bundle with `op-sdk generate bundle`, or name the folder of an existing bundle'],
      },
      { cause: error },
    );
  }
}

function emptyFirstDocument(file: string): OpSdkError {
  return new OpSdkError({
    code: 'bundle/empty-first-document',
    message: `the first document of ${file} is empty: OLM reads the comment above the \`---\` line as a document`,
    where: { file },
    fix: ['remove the `---` line, or run `op-sdk generate bundle` again'],
  });
}

function annotationsOf(document: YamlDocument, file: string, findings: FindingList): Record<string, string> {
  const value = (document.value as { annotations?: unknown } | null)?.annotations;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OpSdkError({
      code: 'bundle/no-annotations',
      message: `${file} has no annotations`,
      where: document.locate(['annotations']),
      fix: ['create the bundle again with `op-sdk generate bundle`'],
    });
  }
  const annotations: Record<string, string> = {};
  for (const [key, text] of Object.entries(value)) {
    // Convert scalars to text, because Go reads them as texts.
    if (text === null || typeof text !== 'object') annotations[key] = String(text ?? '');
    else {
      findings.add({
        code: 'bundle/invalid-annotation',
        message: `the annotation ${key}: expected a text, got ${JSON.stringify(text)}`,
        where: document.locate(['annotations', key]),
        fix: ['write a text'],
      });
    }
  }
  return annotations;
}

function folderIn(value: string): string {
  return posix.normalize(value).replace(/\/$/, '');
}

/** Returns the existing folders that the annotations name. `metadata` must be the folder of this annotations.yaml. */
async function foldersOf(
  root: string,
  shown: string,
  annotations: Readonly<Record<string, string>>,
  locate: (key?: string) => YamlPlace,
  findings: FindingList,
  warnings: Finding[],
): Promise<readonly string[]> {
  const named = new Map<string, string>();
  for (const key of [`${prefix}manifests.v1`, `${prefix}metadata.v1`, tests.annotation]) {
    const value = annotations[key];
    if (value === undefined) continue;
    const path = folderIn(value);
    const isInside = path !== '' && path !== '.' && !path.startsWith('..') && !posix.isAbsolute(path);
    const isRight = key !== `${prefix}metadata.v1` || path === 'metadata';
    if (isInside && isRight) named.set(path, key);
    else {
      findings.add({
        code: 'bundle/invalid-annotation',
        message: `the annotation ${key}: expected the name of ${isRight ? 'a folder of the bundle' : 'the folder of this file'}, got ${JSON.stringify(value)}`,
        where: locate(key),
        fix: [
          `write ${key === tests.annotation ? 'tests/scorecard/' : isRight ? 'manifests/' : 'metadata/'}`,
        ],
      });
    }
  }
  for (const [path, key] of named) {
    if (await pathExists(join(root, path))) continue;
    named.delete(path);
    const finding: Finding = {
      code: 'bundle/missing-folder',
      message: `${shown} has no folder ${path}, which the annotation ${key} names`,
      where: locate(key),
      fix: ['make the bundle again with `op-sdk generate bundle`, or remove the annotation'],
    };
    // Only warn of a missing folder of scorecard tests, because the operator can be installed without the tests.
    if (key === tests.annotation) warnings.push(finding);
    else findings.add(finding);
  }
  const folders = [...named.keys(), ...((await pathExists(join(root, tests.folder))) ? [tests.folder] : [])];
  // Omit nested folders, because the outer folder contains them.
  const outermost = folders.filter((path) => !folders.some((other) => path.startsWith(`${other}/`)));
  return [...new Set(outermost)].sort();
}
