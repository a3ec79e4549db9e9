import { olmVersions, type OlmVersion } from '../../catalog/index.ts';
import { FindingList } from '../../../base/errors/index.ts';
import { jsonListOf, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';

/** The manifests of an OLM release after {@link checkRelease} has accepted them. */
export interface OlmRelease {
  readonly olm: OlmVersion;
  /** Version of OLM without the prefix `v`; undefined if the manifests do not contain it. */
  readonly version: string | undefined;
  /** Namespace of the Deployments of OLM. */
  readonly namespace: string;
  readonly objects: readonly PlacedObject[];
}

/**
 * Checks that manifests belong to the given version of OLM. They must contain the CustomResourceDefinitions and Deployments of this
 * version, and none of the other version.
 *
 * @throws OpSdkError `olm/invalid-manifests`, with a finding for each object that is missing
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

/** The fields of an object from which {@link olmVersionIn} reads the version of OLM. */
interface VersionedObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>> | undefined;
  };
  readonly spec?: unknown;
}

/** Returns the versions of OLM (`v0`, `v1`) whose CustomResourceDefinitions are among the objects. */
export function releaseMajors(objects: readonly PlacedObject[]): readonly OlmVersion[] {
  return olmVersions.filter((major) => olmFacts[major].crds.some((name) => has(objects, crdKind, name)));
}

/**
 * Reads the version of OLM from an object, without the prefix `v`. For OLM v0, the object is the CSV of the package server; otherwise, the
 * labels or the image of the operator's Deployment contain the version.
 */
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

/** Facts that hold for all releases of one OLM version, v0 or v1. */
interface OlmFacts {
  /** Release that is installed if the user names none. */
  readonly defaultVersion: string;
  /** Returns the URLs of the manifests of a release. */
  readonly releaseUrls: (version: string) => readonly string[];
  /** Returns the SHA-256 digests of the files of a release, by file name; undefined if op-sdk does not know the release. */
  readonly releaseDigests: (version: string) => Readonly<Record<string, string>> | undefined;
  /** A kind that only this OLM version serves. */
  readonly marker: { readonly apiVersion: string; readonly kind: string };
  /** Names of the CustomResourceDefinitions that every release contains. */
  readonly crds: readonly string[];
  /** Names of the Deployments that every release contains. The image tag of the first Deployment contains the version of OLM. */
  readonly deployments: readonly [string, ...string[]];
  /** Namespace of the Deployments in `deployments`. */
  readonly namespace: string;
}

const v0Downloads = 'https://github.com/operator-framework/operator-lifecycle-manager/releases/download';
const v1Downloads = 'https://github.com/operator-framework/operator-controller/releases/download';

/**
 * SHA-256 digests of the files of releases, by version and file name. CONTRIBUTING.md describes how to add a release; a digest computed
 * only from the same download would prove nothing. For a release that is not listed, the user must pass `--sha256` or accept the downloaded
 * files.
 */
const digests: Readonly<Record<OlmVersion, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  v0: {},
  v1: {},
};

export const olmFacts: Readonly<Record<OlmVersion, OlmFacts>> = {
  v0: {
    defaultVersion: '0.46.0',
    releaseUrls: (version) => ['crds.yaml', 'olm.yaml'].map((file) => `${v0Downloads}/v${version}/${file}`),
    releaseDigests: (version) => digests.v0[version],
    marker: { apiVersion: 'operators.coreos.com/v1alpha1', kind: 'Subscription' },
    crds: [
      'catalogsources.operators.coreos.com',
      'clusterserviceversions.operators.coreos.com',
      'installplans.operators.coreos.com',
      'operatorgroups.operators.coreos.com',
      'subscriptions.operators.coreos.com',
    ],
    deployments: ['olm-operator', 'catalog-operator'],
    namespace: 'olm',
  },
  v1: {
    defaultVersion: '1.11.0',
    releaseUrls: (version) =>
      ['operator-controller.yaml', 'default-catalogs.yaml'].map(
        (file) => `${v1Downloads}/v${version}/${file}`,
      ),
    releaseDigests: (version) => digests.v1[version],
    marker: { apiVersion: 'olm.operatorframework.io/v1', kind: 'ClusterExtension' },
    crds: ['clustercatalogs.olm.operatorframework.io', 'clusterextensions.olm.operatorframework.io'],
    deployments: ['operator-controller-controller-manager', 'catalogd-controller-manager'],
    namespace: 'olmv1-system',
  },
};
