import { crdOwners } from '../crd-owners.ts';
import type { ExpectedV1 } from '../expected.ts';
import type { Failure } from '../judgement.ts';
import type { Observed } from '../observed.ts';

type Words = Pick<Failure, 'code' | 'message' | 'fix'>;

interface Context extends ExpectedV1 {
  readonly observed: Observed;
}

interface Rule {
  readonly pattern: RegExp;
  readonly words: (match: RegExpExecArray, said: string, context: Context) => Words;
}

const notServed = /from catalog "([^"]+)".* is not being served/;

/** Returns true if an attempt failed because the catalogue of this name was not served. */
export function isCatalogNotServed(said: string, catalog: string): boolean {
  return notServed.exec(said)?.[1] === catalog;
}

/** Meanings of operator-controller's messages; the first that matches counts. They have no form but their words. */
const rules: readonly Rule[] = [
  {
    pattern: notServed,
    words: ([, name = ''], said) => ({
      code: 'olm/other-catalog',
      message: `ClusterCatalog ${name} is not served, and the ClusterExtension asks it, too: ${said}`,
      fix: [
        'choose one catalogue: spec.source.catalog.selector.matchLabels of the ClusterExtension',
        `or repair or delete the other one: kubectl describe clustercatalog ${name}`,
      ],
    }),
  },
  {
    pattern: /error upgrading from currently installed version "([^"]+)"/,
    words: ([, installed = ''], said, { extension, version }) => ({
      code: 'olm/upgrade-not-allowed',
      message: `no update leads from version ${installed} to ${version}: ${said}`,
      fix: [
        `add ${installed} to replaces, skips or skipRange of the new version: op-sdk catalog add`,
        `or remove the operator first, with all objects of its kinds: kubectl delete clusterextension ${extension}`,
      ],
    }),
  },
  {
    pattern: /no bundles found for package "([^"]+)" .*matching version "([^"]+)"/,
    words: ([, name = '', version = ''], said) => ({
      code: 'olm/version-not-found',
      message: `the catalogue has no version ${version} of package ${name}: ${said}`,
      fix: ['choose a version that the catalogue has, or add this one: op-sdk catalog add'],
    }),
  },
  {
    pattern: /no bundles found/,
    words: (_, said, { catalog, package: name }) => ({
      code: 'olm/not-resolvable',
      message: `ClusterCatalog ${catalog} has nothing to install for package ${name}: ${said}`,
      fix: ['name a package and a channel that the catalogue has: op-sdk catalog list'],
    }),
  },
  {
    pattern: /error creating image source/,
    words: (_, said) => ({
      code: 'olm/bundle-image',
      message: `operator-controller cannot pull the image of the bundle: ${said}`,
      fix: said.includes('server gave HTTP response to HTTPS client')
        ? ['push the image to a registry with HTTPS: operator-controller does not use plain HTTP']
        : ['push the image, and check its name and that operator-controller may pull it'],
    }),
  },
  {
    pattern: /does not support .*install mode/,
    words: (_, said) => ({
      code: 'olm/install-mode',
      message: `OLM v1 installs operators that watch all namespaces: ${said}`,
      fix: ['support AllNamespaces: spec.installModes of the base ClusterServiceVersion'],
    }),
  },
  {
    pattern: /CustomResourceDefinition '([^']+)' already exists .*cannot be managed/,
    words: ([, name = ''], said, { observed }) => {
      const owner = crdOwners(observed, name)[0] ?? 'something else';
      return {
        code: 'olm/api-conflict',
        message: `${owner} owns CustomResourceDefinition ${name}: ${said}`,
        fix: [
          `remove what owns it: kubectl get crd ${name} --show-labels`,
          `or, if nothing uses it, delete it with all of its objects: kubectl delete crd ${name}`,
        ],
      };
    },
  },
  {
    pattern: /(\w+) '([^']+)' already exists in namespace '([^']*)' and cannot be managed/,
    words: ([, kind = '', name = '', namespace = ''], said) => ({
      code: 'olm/object-exists',
      message: `something else created ${kind} ${name}: ${said}`,
      fix: [
        `delete it, if nothing uses it: kubectl delete ${kind.toLowerCase()} ${name}${namespace === '' ? '' : ` -n ${namespace}`}`,
      ],
    }),
  },
  {
    pattern: /is forbidden/,
    words: (_, said) => ({
      code: 'olm/missing-permission',
      message: `OLM may not install what the bundle has: ${said}`,
      fix: ['correct what the message says: the API server refuses it to operator-controller'],
    }),
  },
  {
    pattern:
      /open (?:metadata|manifests)\/.*no such file|unable to (?:parse|decode)|error (?:parsing|reading|decoding)/,
    words: (_, said) => ({
      code: 'olm/bundle-unreadable',
      message: `OLM does not understand the bundle: ${said}`,
      fix: ['check the bundle: op-sdk bundle validate', 'build the image of the bundle again, and push it'],
    }),
  },
];

/** The cause behind a message of a ClusterExtension that is tried again. */
export function extensionFailure(said: string, context: Context): Words {
  for (const { pattern, words } of rules) {
    const match = pattern.exec(said);
    if (match !== null) return words(match, said, context);
  }
  return {
    code: 'olm/install-failed',
    message: `OLM cannot install the bundle: ${said}`,
    fix: ['correct what the message says, in the bundle or on the cluster'],
  };
}
