import type { KubeObject } from '../../sdk/api/index.ts';
import {
  type Observed,
  conditionOf,
  trueCondition,
  type Conditioned,
  type ExpectedV1,
  crdOwners,
} from './observed.ts';
import { judgeDeployments } from './judge-deployments.ts';
import { failedBy, pendingStep, type Judgement, type Failure } from './judgement.ts';

interface ClusterExtensionState extends Conditioned {
  readonly status?: Conditioned['status'] & {
    readonly install?: { readonly bundle?: { readonly version?: string } };
  };
}

/**
 * Judges the progress of an installation by OLM v1: `done` once the catalogue is served, the wanted version is installed, and its
 * Deployments are rolled out. OLM v1 reports every failure as one that it retries, including failures in the first seconds of a normal
 * installation.
 *
 * @param observed contains the ClusterCatalog, the ClusterExtension, and Deployments and Pods of the namespace. If it also contains the
 * CustomResourceDefinitions that the operator owns, conflicting objects can be named
 */
export function judgeV1(observed: Observed, expected: ExpectedV1): Judgement {
  const extension = observed.get<ClusterExtensionState>('ClusterExtension', expected.extension);
  if (extension !== undefined && hasVersion(extension, expected.version)) {
    const { deployments: names, namespace } = expected;
    const judgement = judgeDeployments(observed, { names, namespace });
    if (judgement.state !== 'done') return judgement;
    return judgeClusterCatalog(observed, expected) ?? judgement;
  }
  const catalog = judgeClusterCatalog(observed, expected);
  if (catalog !== undefined) return catalog;
  if (extension === undefined)
    return pendingStep('install', `ClusterExtension ${expected.extension}: it does not exist yet`);
  return judgeExtension(observed, extension, expected);
}

function hasVersion(extension: ClusterExtensionState, version: string): boolean {
  return (
    trueCondition(extension, 'Installed') !== undefined &&
    extension.status?.install?.bundle?.version === version
  );
}

/** Judges if OLM serves the newest image of the catalogue. Returns undefined if it does. */
function judgeClusterCatalog(observed: Observed, expected: ExpectedV1): Judgement | undefined {
  const { catalog: name } = expected;
  const catalog = observed.get<Conditioned>('ClusterCatalog', name);
  if (catalog === undefined) return pendingStep('catalog', `ClusterCatalog ${name}: it does not exist yet`);
  const progressing = conditionOf(catalog, 'Progressing');
  if (progressing?.reason === 'Retrying' || progressing?.reason === 'Blocked')
    return catalogFailure(catalog, {
      said: progressing.message ?? '',
      terminal: progressing.reason === 'Blocked',
    });
  if (progressing !== undefined && trueCondition(catalog, 'Serving') !== undefined) return undefined;
  return pendingStep('catalog', `ClusterCatalog ${name}: its image is unpacked`);
}

function catalogFailure(
  catalog: KubeObject,
  { said, terminal }: { readonly said: string; readonly terminal: boolean },
): Judgement {
  if (!said.includes('error creating image source'))
    return failedBy({
      code: 'olm/catalog-not-served',
      message: `catalogd cannot serve the catalogue: ${said}`,
      object: catalog,
      terminal,
      fix: ['check the catalogue: op-sdk catalog validate', 'build its image again, and push it'],
    });
  const isPlain = said.includes('server gave HTTP response to HTTPS client');
  return failedBy({
    code: 'olm/catalog-image',
    message: `catalogd cannot pull the image of the catalogue: ${said}`,
    object: catalog,
    terminal,
    fix: isPlain
      ? ['push the image to a registry with HTTPS: catalogd does not use plain HTTP']
      : ['push the image, and check its name and that catalogd may pull it'],
  });
}

function judgeExtension(
  observed: Observed,
  extension: ClusterExtensionState,
  expected: ExpectedV1,
): Judgement {
  const { extension: name, version } = expected;
  const progressing = conditionOf(extension, 'Progressing');
  const said = progressing?.message ?? '';
  if (progressing?.reason === 'Retrying' || progressing?.reason === 'Blocked') {
    // The catalogue is served by now, so the next attempt of OLM will find it. Therefore, this message is not a failure.
    if (!isCatalogNotServed(said, expected.catalog))
      return failedBy({
        ...extensionFailure(said, { ...expected, observed }),
        object: extension,
        terminal: progressing.reason === 'Blocked',
      });
  }
  const installed = extension.status?.install?.bundle?.version;
  const seen = installed === undefined ? '' : `, ${installed} is installed`;
  return pendingStep('install', `ClusterExtension ${name}: version ${version} is being installed${seen}`);
}

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
function isCatalogNotServed(said: string, catalog: string): boolean {
  return notServed.exec(said)?.[1] === catalog;
}

/** Explanations of operator-controller's messages. A message can be recognised only by its text; the first rule that matches is used. */
const rules: readonly Rule[] = [
  {
    pattern: notServed,
    words: ([, name = ''], said) => ({
      code: 'olm/other-catalog',
      message: `ClusterCatalog ${name}, which the ClusterExtension also uses, is not served: ${said}`,
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
      message: `OLM v1 installs only operators that can watch all namespaces: ${said}`,
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
          `remove the owner, which this command shows: kubectl get crd ${name} --show-labels`,
          `or, if nothing uses it, delete it with all of its objects: kubectl delete crd ${name}`,
        ],
      };
    },
  },
  {
    pattern: /(\w+) '([^']+)' already exists in namespace '([^']*)' and cannot be managed/,
    words: ([, kind = '', name = '', namespace = ''], said) => ({
      code: 'olm/object-exists',
      message: `${kind} ${name} already exists and does not belong to this installation: ${said}`,
      fix: [
        `delete it, if nothing uses it: kubectl delete ${kind.toLowerCase()} ${name}${namespace === '' ? '' : ` -n ${namespace}`}`,
      ],
    }),
  },
  {
    pattern: /is forbidden/,
    words: (_, said) => ({
      code: 'olm/missing-permission',
      message: `OLM lacks permissions to install the objects of the bundle: ${said}`,
      fix: [
        'correct the cause that the message names: the API server refuses the request of operator-controller',
      ],
    }),
  },
  {
    pattern:
      /open (?:metadata|manifests)\/.*no such file|unable to (?:parse|decode)|error (?:parsing|reading|decoding)/,
    words: (_, said) => ({
      code: 'olm/bundle-unreadable',
      message: `OLM cannot read the bundle: ${said}`,
      fix: ['check the bundle: op-sdk bundle validate', 'build the image of the bundle again, and push it'],
    }),
  },
];

/** Returns the explanation of the message with which a ClusterExtension reports a failed attempt that OLM retries. */
function extensionFailure(said: string, context: Context): Words {
  for (const { pattern, words } of rules) {
    const match = pattern.exec(said);
    if (match !== null) return words(match, said, context);
  }
  return {
    code: 'olm/install-failed',
    message: `OLM cannot install the bundle: ${said}`,
    fix: ['correct the cause that the message names, in the bundle or on the cluster'],
  };
}
