import type { OlmVersion } from '../../catalog/index.ts';

/** Facts about an OLM that hold for all its versions. */
export interface OlmFacts {
  /** The version that is installed where none is named. */
  readonly defaultVersion: string;
  /** The addresses of the manifests of a release. */
  readonly releaseUrls: (version: string) => readonly string[];
  /** SHA-256 of the files of a release, by name; undefined of a release that op-sdk does not know. */
  readonly releaseDigests: (version: string) => Readonly<Record<string, string>> | undefined;
  /** A kind that only this OLM serves. */
  readonly marker: { readonly apiVersion: string; readonly kind: string };
  /** The names of the CustomResourceDefinitions that every release has. */
  readonly crds: readonly string[];
  /** The names of the Deployments that every release has; the first is the one whose image has the version. */
  readonly deployments: readonly [string, ...string[]];
  /** Where a release puts them. */
  readonly namespace: string;
}

const v0Downloads = 'https://github.com/operator-framework/operator-lifecycle-manager/releases/download';
const v1Downloads = 'https://github.com/operator-framework/operator-controller/releases/download';

/**
 * SHA-256 of the files of releases, by version and file name. CONTRIBUTING.md says how a release gets here: a digest that was only read from the
 * same download would prove nothing. A release that is not here needs `--sha256`, or a person who accepts what was downloaded.
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
