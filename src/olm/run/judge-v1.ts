import type { KubeObject } from '../../sdk/api/index.ts';
import { conditionOf, trueCondition, type Conditioned } from './condition.ts';
import type { ExpectedV1 } from './expected.ts';
import { judgeDeployments } from './judge-deployments.ts';
import { failedBy, waitingFor, type Judgement } from './judgement.ts';
import type { Observed } from './observed.ts';
import { extensionFailure, isCatalogNotServed } from './v1/extension-failure.ts';

interface ClusterExtensionState extends Conditioned {
  readonly status?: Conditioned['status'] & {
    readonly install?: { readonly bundle?: { readonly version?: string } };
  };
}

/**
 * Judges the progress of an installation by OLM v1: `done` when the catalogue is served, the wanted version is installed, and its Deployments
 * are rolled out. OLM v1 reports every failure as one that it repeats, the first seconds of a normal installation among them.
 *
 * @param observed with the ClusterCatalog, the ClusterExtension, and Deployments and Pods of the namespace; the
 *   CustomResourceDefinitions that the operator owns let it name others that are in the way
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
    return waitingFor('install', `ClusterExtension ${expected.extension}: it does not exist yet`);
  return judgeExtension(observed, extension, expected);
}

function hasVersion(extension: ClusterExtensionState, version: string): boolean {
  return (
    trueCondition(extension, 'Installed') !== undefined &&
    extension.status?.install?.bundle?.version === version
  );
}

/** Judges if the catalogue is served, with its newest image; undefined if so. */
function judgeClusterCatalog(observed: Observed, expected: ExpectedV1): Judgement | undefined {
  const { catalog: name } = expected;
  const catalog = observed.get<Conditioned>('ClusterCatalog', name);
  if (catalog === undefined) return waitingFor('catalog', `ClusterCatalog ${name}: it does not exist yet`);
  const progressing = conditionOf(catalog, 'Progressing');
  if (progressing?.reason === 'Retrying' || progressing?.reason === 'Blocked')
    return catalogFailure(catalog, {
      said: progressing.message ?? '',
      terminal: progressing.reason === 'Blocked',
    });
  if (progressing !== undefined && trueCondition(catalog, 'Serving') !== undefined) return undefined;
  return waitingFor('catalog', `ClusterCatalog ${name}: its image is unpacked`);
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
    // The catalogue is served by now: the next attempt finds it.
    if (!isCatalogNotServed(said, expected.catalog))
      return failedBy({
        ...extensionFailure(said, { ...expected, observed }),
        object: extension,
        terminal: progressing.reason === 'Blocked',
      });
  }
  const installed = extension.status?.install?.bundle?.version;
  const seen = installed === undefined ? '' : `, ${installed} is installed`;
  return waitingFor('install', `ClusterExtension ${name}: version ${version} is being installed${seen}`);
}
