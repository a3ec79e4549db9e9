import { olmVersions, type OlmVersion } from '../../catalog/index.ts';
import { FindingList } from '../../../base/errors/index.ts';
import { jsonListOf, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import { olmFacts } from './olm-facts.ts';

/** The manifests of a release of OLM, checked. */
export interface OlmRelease {
  readonly olm: OlmVersion;
  /** Without `v`; undefined where the manifests do not say. */
  readonly version: string | undefined;
  /** Where its Deployments go. */
  readonly namespace: string;
  readonly objects: readonly PlacedObject[];
}

/**
 * Checks that manifests are those of an OLM: its CustomResourceDefinitions and its Deployments, and not those of the other one.
 *
 * @throws OpSdkError `olm/invalid-manifests`, a finding for each object that is missing
 */
export function checkRelease(olm: OlmVersion, objects: readonly PlacedObject[]): OlmRelease {
  const findings = new FindingList();
  const other = releaseMajors(objects).find((major) => major !== olm);
  const missing = missingObjects(olm, objects);
  if (other !== undefined && missing.length > 0)
    findings.add({
      code: 'olm/invalid-manifests',
      message: `expected the manifests of OLM ${olm}, got those of OLM ${other}`,
      where: { flag: '--manifests' },
      fix: [`pass --olm ${other}, or name the manifests of OLM ${olm}`],
    });
  else
    for (const title of missing)
      findings.add({
        code: 'olm/invalid-manifests',
        message: `the manifests of OLM ${olm} lack the ${title}`,
        where: { flag: '--manifests' },
        fix: [
          'name all files of the release: --manifests may be repeated',
          `or leave --manifests out: the release is downloaded by its --version`,
        ],
      });
  findings.throwIfAny();
  return { olm, version: releaseVersion(olm, objects), namespace: namespaceOf(olm, objects), objects };
}

/** As much of an object as tells a version. */
interface VersionedObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>> | undefined;
  };
  readonly spec?: unknown;
}

/** The OLMs whose CustomResourceDefinitions are among objects. */
export function releaseMajors(objects: readonly PlacedObject[]): readonly OlmVersion[] {
  return olmVersions.filter((major) => olmFacts[major].crds.some((name) => has(objects, crdKind, name)));
}

/** The version that the objects of an OLM tell, without `v`: of v0 the CSV of its package server, of v1 the image. */
export function olmVersionIn(
  olm: OlmVersion,
  { kind, metadata, spec: uncheckedSpec }: VersionedObject,
): string | undefined {
  const spec = jsonMapOf(uncheckedSpec);
  if (olm === 'v0' && kind === 'ClusterServiceVersion' && metadata.name === 'packageserver')
    return jsonTextOf(spec['version']) || undefined;
  if (kind !== 'Deployment' || metadata.name !== olmFacts[olm].deployments[0]) return undefined;
  const labels = metadata.labels ?? {};
  const labelled = versionText(labels['app.kubernetes.io/version'] ?? labels['olm.version'] ?? '');
  if (labelled !== undefined) return labelled;
  const pod = jsonMapOf(jsonMapOf(spec['template'])['spec']);
  const images = jsonListOf(pod['containers']).map((each) => jsonTextOf(jsonMapOf(each)['image']));
  return images.map((image) => versionText(/:([^:/@]+)(?:@|$)/.exec(image)?.[1] ?? '')).find(Boolean);
}

function versionText(text: string): string | undefined {
  return /^v?(\d+\.\d+\.\d+\S*)$/.exec(text)?.[1];
}

const crdKind = 'CustomResourceDefinition';

function has(objects: readonly PlacedObject[], kind: string, name: string): boolean {
  return objects.some(({ object }) => object.kind === kind && object.metadata.name === name);
}

function missingObjects(olm: OlmVersion, objects: readonly PlacedObject[]): readonly string[] {
  const { crds, deployments } = olmFacts[olm];
  return [
    ...crds.filter((name) => !has(objects, crdKind, name)).map((name) => `${crdKind} ${name}`),
    ...deployments.filter((name) => !has(objects, 'Deployment', name)).map((name) => `Deployment ${name}`),
  ];
}

function releaseVersion(olm: OlmVersion, objects: readonly PlacedObject[]): string | undefined {
  const versions = objects.map(({ object }) => ({ object, version: olmVersionIn(olm, object) }));
  const csv = versions.find(({ object, version }) => object.kind !== 'Deployment' && version !== undefined);
  return (csv ?? versions.find(({ version }) => version !== undefined))?.version;
}

function namespaceOf(olm: OlmVersion, objects: readonly PlacedObject[]): string {
  const { deployments, namespace } = olmFacts[olm];
  const found = objects.find(
    ({ object }) => object.kind === 'Deployment' && object.metadata.name === deployments[0],
  );
  return found?.object.metadata.namespace ?? namespace;
}
