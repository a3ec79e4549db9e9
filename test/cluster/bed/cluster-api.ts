import { apiOf, until } from '../../../scripts/lib/api.mjs';
import type { ClusterBed } from './cluster-bed.ts';

/** As far as tests look into Pods. */
export interface BedPod {
  readonly metadata: {
    readonly name: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly status: {
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly state: { readonly running?: object };
    }[];
  };
}

/** What tests ask the API server, as the administrator, by plain requests. */
export interface ClusterApi extends ReturnType<typeof apiOf> {
  /** @returns the body @throws Error for every status that is not a success */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  pods(namespace: string, selector?: string): Promise<readonly BedPod[]>;
  /** The names of all objects that an operator could leave behind, as `resource namespace/name`; without Kubernetes' own namespaces. */
  inventory(): Promise<readonly string[]>;
}

const inventoried = [
  'api/v1/namespaces',
  'api/v1/pods',
  'api/v1/services',
  'api/v1/secrets',
  'api/v1/serviceaccounts',
  'api/v1/persistentvolumeclaims',
  'api/v1/persistentvolumes',
  'apis/apps/v1/deployments',
  'apis/coordination.k8s.io/v1/leases',
  'apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  ...['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'].map(
    (plural) => `apis/rbac.authorization.k8s.io/v1/${plural}`,
  ),
  ...['mutating', 'validating'].map(
    (type) => `apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`,
  ),
];

interface Listed {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace?: string } }[];
}

export function clusterApi(bed: ClusterBed): ClusterApi {
  const api = apiOf(bed);
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const { status, body: answer } = await api.request(method, path, body && JSON.stringify(body));
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer as T;
  };
  return {
    ...api,
    call,
    async pods(namespace, selector = '') {
      const query = `labelSelector=${encodeURIComponent(selector)}`;
      const path = `/api/v1/namespaces/${namespace}/pods?${query}`;
      return (await call<{ items: readonly BedPod[] }>('GET', path)).items;
    },
    async inventory() {
      const lists = await Promise.all(
        inventoried.map(async (path) => {
          const { items } = await call<Listed>('GET', `/${path}`);
          return items
            .filter(({ metadata: { namespace } }) => namespace?.startsWith('kube-') !== true)
            .map(({ metadata: { namespace = '', name } }) => `${path} ${namespace}/${name}`);
        }),
      );
      return lists.flat().sort();
    },
  };
}

/** Whether a Pod is ready and is not being deleted. */
export function isReady({ metadata, status }: BedPod): boolean {
  const conditions = status.conditions ?? [];
  return (
    metadata.deletionTimestamp === undefined &&
    conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  );
}

/** {@link until} with the patience that a busy machine needs. */
export function eventuallyTrue<T>(what: string, question: () => Promise<T>): Promise<NonNullable<T>> {
  return until(what, question, { timeout: 150_000, interval: 200 }) as Promise<NonNullable<T>>;
}
