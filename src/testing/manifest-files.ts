import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { existsSync } from 'node:fs';
import { type Finding, FindingList, type Where, isOpSdkError } from '../base/errors/index.ts';
import { errnoOf, errnoText } from '../base/util/fs.ts';
import { jsonListOf, jsonMapOf, jsonTextOf } from '../base/util/json-map.ts';
import { parseKubernetesYaml, type ManifestObject, type PlacedObject } from '../kubernetes/yaml/index.ts';
import { readCrds, type CrdDocument, crdsOf } from '../kubernetes/crd/index.ts';
import { isWebhookConfiguration } from './webhooks/with-webhook-urls.ts';

/** A YAML or JSON file and its text. */
interface ManifestFile {
  readonly file: string;
  readonly text: string;
  /** True if the caller named this file; false if the file was found in a folder that the caller named. */
  readonly named: boolean;
}

const extensions = new Set(['.yaml', '.yml', '.json']);

/** Reads YAML and JSON files. For a folder, reads the files in it (not recursive, sorted by name). Adds read errors to the findings. */
async function readManifestFiles(
  paths: readonly string[],
  findings: FindingList,
): Promise<readonly ManifestFile[]> {
  const found: ManifestFile[] = [];
  for (const path of paths) {
    for (const { file, named } of await filesOf(path, findings)) {
      const text = await readText(file, findings);
      if (text !== undefined) found.push({ file, text, named });
    }
  }
  return found;
}

async function filesOf(
  path: string,
  findings: FindingList,
): Promise<readonly { readonly file: string; readonly named: boolean }[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [{ file: path, named: true }];
    const names = (await readdir(path)).filter((name) => extensions.has(extname(name))).sort();
    return names.map((name) => ({ file: join(path, name), named: false }));
  } catch (error) {
    findings.add(unreadable(path, error));
    return [];
  }
}

async function readText(file: string, findings: FindingList): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    findings.add(unreadable(file, error));
    return undefined;
  }
}

function unreadable(file: string, error: unknown): Finding {
  const missing = errnoOf(error) === 'ENOENT';
  return {
    code: missing ? 'io/not-found' : 'io/cannot-read',
    message: missing ? 'the file or folder does not exist' : errnoText(error),
    where: { file },
  };
}

/**
 * Reads MutatingWebhookConfigurations and ValidatingWebhookConfigurations from YAML and JSON files, and from folders of files (not
 * recursive). Other objects, such as Services and kustomizations, are skipped in the files of a folder. A file that is named explicitly
 * must contain at least one configuration.
 *
 * @throws OpSdkError with all findings: `testenv/invalid-webhook`, `io/not-found`, and those of `parseKubernetesYaml`
 */
export async function readWebhookFiles(paths: readonly string[]): Promise<readonly PlacedObject[]> {
  const findings = new FindingList();
  const found: PlacedObject[] = [];
  for (const { file, text, named } of await readManifestFiles(paths, findings)) {
    const read = findings.gatherSync(() => configurationsIn(text, file));
    if (read?.length === 0 && named)
      findings.add({
        code: 'testenv/invalid-webhook',
        message: 'expected a MutatingWebhookConfiguration or a ValidatingWebhookConfiguration, got neither',
        where: { file },
      });
    found.push(...(read ?? []));
  }
  checkEach(found, findings);
  findings.throwIfAny();
  return found;
}

/**
 * Returns the webhook configurations in a text. Other documents in the text need not be Kubernetes objects, because a folder may contain
 * kustomizations and their settings.
 */
function configurationsIn(text: string, file: string): readonly PlacedObject[] {
  const objectsIn = (
    value: unknown,
    path: readonly (string | number)[],
    locate: (path: readonly (string | number)[]) => Where,
  ): readonly PlacedObject[] => {
    const object = jsonMapOf(value);
    const kind = jsonTextOf(object['kind']);
    if (kind.endsWith('List'))
      return jsonListOf(object['items']).flatMap((item, index) =>
        objectsIn(item, [...path, 'items', index], locate),
      );
    return isWebhookConfiguration({ kind }) ? [{ object: value as ManifestObject, where: locate(path) }] : [];
  };
  return parseKubernetesYaml(text, file).flatMap((document) =>
    objectsIn(document.value, [], (path) => document.locate(path)),
  );
}

/** Checks webhook configurations only for mistakes that the API server does not report itself. */
function checkEach(found: readonly PlacedObject[], findings: FindingList): void {
  const seen = new Set<string>();
  for (const { object, where } of found) {
    const name = jsonTextOf(jsonMapOf(object.metadata)['name']);
    const identity = `${object.kind} ${name}`;
    const problem =
      object.apiVersion !== 'admissionregistration.k8s.io/v1'
        ? `${object.kind}: expected the apiVersion admissionregistration.k8s.io/v1, got ${JSON.stringify(object.apiVersion)}`
        : name === ''
          ? `${object.kind}: the name is missing`
          : seen.has(identity)
            ? `${identity} appears twice: the second would replace the first`
            : undefined;
    seen.add(identity);
    if (problem !== undefined) findings.add({ code: 'testenv/invalid-webhook', message: problem, where });
  }
}

/** A CRD and the file that it was read from. */
export interface CrdFile {
  readonly file: string;
  readonly crd: CrdDocument;
}

/**
 * Reads CRDs from YAML and JSON files, and from folders of files (not recursive), with the same reader as the commands of op-sdk. Other
 * objects are skipped in the files of a folder. A file that is named explicitly must contain at least one CRD. Errors that the API server
 * reports itself are not checked.
 * @throws OpSdkError with all findings
 */
export async function readCrdFiles(paths: readonly string[]): Promise<readonly CrdFile[]> {
  const findings = new FindingList();
  const found: CrdFile[] = [];
  for (const { file, text, named } of await readManifestFiles(paths, findings)) {
    const crds = crdsIn(text, file, findings);
    if (named && text.trim() !== '' && crds?.length === 0)
      findings.add({
        code: 'testenv/invalid-crd',
        message: 'the file holds no CustomResourceDefinition',
        where: { file },
      });
    found.push(...(crds ?? []));
  }
  findings.throwIfAny();
  return found;
}

/** Returns the CRDs in a text. If they cannot be read, adds the errors to the findings and returns undefined. */
function crdsIn(text: string, file: string, findings: FindingList): readonly CrdFile[] | undefined {
  try {
    return readCrds(text, file).crds.map(({ crd }) => ({ file, crd }));
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    findings.add(...error.findings);
    return undefined;
  }
}

const projectCrds = 'config/crd/bases';

/**
 * Returns the CRDs for a test.
 *
 * @param crds files, folders and CRD objects. Default: the project's folder of CRDs below the working directory, or no CRDs if that folder
 * does not exist
 * @throws OpSdkError with everything that the API server would refuse
 */
export async function readCrdDefinitions(
  crds: readonly (string | object)[] = existsSync(projectCrds) ? [projectCrds] : [],
): Promise<readonly CrdDocument[]> {
  const files = await readCrdFiles(crds.filter((crd) => typeof crd === 'string'));
  const given = crdsOf(
    crds
      .filter((crd) => typeof crd !== 'string')
      .map((value) => ({
        value,
        locate: (path) => ({
          object: `CustomResourceDefinition ${jsonTextOf(jsonMapOf(jsonMapOf(value)['metadata'])['name'])}`,
          path: path.join('.'),
        }),
      })),
  );
  const findings = new FindingList();
  findings.add(...given.crds.flatMap(({ refusals }) => refusals));
  findings.throwIfAny();
  return [...files, ...given.crds].map(({ crd }) => crd);
}
