import type { KubeObject } from '../../../sdk/api/index.ts';
import type { PodLike } from '../../../cluster/index.ts';
import { failedBy, waitingFor, type Judgement } from '../judgement.ts';
import type { Observed } from '../observed.ts';
import { catalogPods, podCause, podProgress } from '../workload-causes.ts';

export interface CatalogSourceState extends KubeObject {
  readonly status?: {
    /** `SpecInvalidError`, `RegistryServerError`. */
    readonly reason?: string;
    readonly message?: string;
    readonly connectionState?: { readonly lastObservedState?: string };
  };
}

/** Judges if the catalogue answers; undefined if it does, or if it may not be seen. */
export function judgeCatalogSource(
  observed: Observed,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Judgement | undefined {
  const catalog = observed.get<CatalogSourceState>('CatalogSource', name, namespace);
  if (catalog === undefined) return undefined;
  const pods = observed.list<PodLike>('Pod', namespace).filter((pod) => isOf(pod, name));
  const cause = podCause(pods, catalogPods);
  if (cause !== undefined) return cause;
  const { reason, message, connectionState } = catalog.status ?? {};
  if (reason !== undefined && message !== undefined)
    return failedBy({
      code: 'olm/catalog-not-served',
      message: `OLM cannot serve CatalogSource ${name}: ${reason}: ${message}`,
      object: catalog,
      fix: ['correct the CatalogSource, or what refuses its Pod'],
    });
  const state = connectionState?.lastObservedState;
  if (state === 'READY') return undefined;
  const said = podProgress(pods) ?? (pods.length === 0 ? 'its Pod does not exist yet' : 'its Pod runs');
  return waitingFor(
    'catalog',
    `CatalogSource ${name}: ${state === undefined ? said : `connection ${state}; ${said}`}`,
  );
}

/** Pods of OLM have a label, those of operator-sdk an owner only. */
function isOf({ metadata }: KubeObject, catalog: string): boolean {
  return (
    metadata.labels?.['olm.catalogSource'] === catalog ||
    (metadata.ownerReferences ?? []).some(({ kind, name }) => kind === 'CatalogSource' && name === catalog)
  );
}
