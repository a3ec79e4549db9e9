import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateBundle, type BundleInput, type GeneratedBundle } from '../../../../src/olm/bundle/index.ts';
import { isOpSdkError, type Finding } from '../../../../src/base/errors/index.ts';
import {
  readManifest,
  type ManifestObject,
  type PlacedObject,
} from '../../../../src/kubernetes/yaml/manifest-object.ts';
import { repository } from '../../compiler/manifests/project-folder.ts';

/** The text of the objects of a golden case. */
export function goldenObjects(name: 'nginx-operator' | 'webhooks'): string {
  return readFileSync(join(repository, 'test/golden/bundle', name, 'objects.yaml'), 'utf8');
}

/** A plain JSON object that tests may change. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests reach into objects of any kind
export type Loose = any;

/** The objects of a golden case, changed by `edit`, as a list of plain objects. */
export function edited(
  name: 'nginx-operator' | 'webhooks',
  edit: (objects: Loose[], find: (kind: string, name?: string) => Loose) => Loose[] | void,
): readonly PlacedObject[] {
  const objects: Loose[] = readManifest(goldenObjects(name), 'objects.yaml').map(({ object }) => object);
  const find = (kind: string, wanted?: string): Loose => {
    const found = objects.find(
      (object: ManifestObject) =>
        object.kind === kind && (wanted === undefined || object.metadata.name === wanted),
    ) as unknown;
    if (found === undefined) throw new Error(`the golden case has no ${kind} ${wanted ?? ''}`);
    return found;
  };
  const result = edit(objects, find) ?? objects;
  return result.map((object: ManifestObject, index: number) => ({
    object,
    where: { file: 'objects.yaml', line: index + 1 },
  }));
}

/** Makes a bundle of objects. */
export function bundleOf(
  objects: readonly PlacedObject[],
  input: Partial<BundleInput> = {},
): GeneratedBundle {
  return generateBundle({
    packageName: 'nginx-operator',
    version: '0.0.1',
    channels: ['alpha'],
    builder: 'op-sdk-v0.0.0',
    projectLayout: 'unknown',
    objects,
    ...input,
  });
}

/** What the bundle of objects is refused for; nothing if it is not refused. */
export function refusals(
  objects: readonly PlacedObject[],
  input: Partial<BundleInput> = {},
): readonly Finding[] {
  try {
    bundleOf(objects, input);
  } catch (error) {
    if (isOpSdkError(error)) return error.findings;
    throw error;
  }
  return [];
}

/** Codes, for lists that are compared. */
export function codes(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ code }) => code);
}

export const csvOf = (objects: Parameters<typeof bundleOf>[0], input = {}): Loose =>
  bundleOf(objects, input).manifests[0]?.document;

/** The spec of the ClusterServiceVersion of a bundle. */
export const specOf = (objects: ReturnType<typeof edited>, input = {}): Loose =>
  bundleOf(objects, input).manifests[0]?.document['spec'];

export const filesOf = (objects: ReturnType<typeof edited>): string[] =>
  bundleOf(objects).manifests.map(({ file }) => file);

export const warningsOf = (objects: ReturnType<typeof edited>, input = {}): readonly string[] =>
  bundleOf(objects, input).warnings.map(({ code, message }) => `${code}: ${message}`);
