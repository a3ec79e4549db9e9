import type { KubeObject } from '../../../src/sdk/api/index.ts';
import { addresses } from '../bed/addresses.ts';

/** A kind and a name in the namespace of the scenario. */
export interface Ref {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** One step of a scenario. Texts may hold `$NS`, the namespace of the scenario, which is a name that nothing else has. */
export type Step =
  | { readonly create: KubeObject }
  /** A merge patch. */
  | { readonly patch: Ref; readonly with: object; readonly subresource?: 'status' }
  | { readonly remove: Ref; readonly graceSeconds?: number }
  /** An eviction of a Pod; the API server must refuse it, or must not. */
  | { readonly evict: string; readonly isRefused: boolean }
  /** Ends a container of all Pods that run it. */
  | { readonly exit: string; readonly code: ExitCode }
  /** Makes the readiness probe of a Pod's container succeed or fail from now on. In the beginning it fails. */
  | { readonly probe: string; readonly succeeds: boolean }
  /** Pushes an image that could not be pulled before. */
  | { readonly push: string }
  /** Labels or taints of the only node, as a merge patch. */
  | { readonly node: object }
  /** Waits until so many objects of a kind show fields as {@link fieldsOf} writes them. Default: one. */
  | { readonly until: string; readonly shows: Readonly<Record<string, string>>; readonly count?: number }
  /** Waits until all objects of a kind are gone. */
  | { readonly untilGone: string };

/** A program of a test has an exit code of success and one of failure. */
export type ExitCode = 0 | 3;

/** Objects of one kind whose statuses a scenario compares. */
export interface Watched {
  readonly kind: string;
  /** Fields of {@link fieldsOf} that are left out, with the reason for it in the scenario. Default: none. */
  readonly without?: readonly string[];
  /**
   * `sequence`: all states of each object, in order. `order`: all states of all objects, in one order. `final`: the last state of each
   * object, where the order of those before depends on timing. Default: `sequence`.
   */
  readonly compare?: 'sequence' | 'order' | 'final';
}

/** Steps after which a pretended node and a real kubelet have written the same statuses. */
export interface Scenario {
  readonly name: string;
  readonly watch: readonly Watched[];
  /**
   * Exit codes of containers by their names, for their first runs: each run ends as soon as it is seen running. Further runs, and containers
   * without code, run on.
   */
  readonly exits?: Readonly<Record<string, readonly ExitCode[]>>;
  /** Images that cannot be pulled until they are pushed. */
  readonly unpushed?: readonly string[];
  /** Pods that have a readiness probe, which fails in the beginning. */
  readonly probed?: readonly string[];
  readonly steps: readonly Step[];
  /** Steps that leave the cluster as it was, beside the namespace. They are taken after a failure, too. */
  readonly after?: readonly Step[];
}

type Fields = Readonly<Record<string, unknown>>;

const repository = `${addresses.registry}/agreement/run`;

/** The image whose program does what a scenario says. */
export const image = `${repository}:v1`;

/** An image of one scenario, which cannot be pulled until it is pushed. */
export const lateImage = `${repository}:$NS`;

/** A container. Its argument and its environment make its process known on the bed. */
export const container = (name: string, fields: Fields = {}): Fields => ({
  name,
  image,
  args: [name],
  ...fields,
  env: [{ name: 'SCENARIO', value: '$NS' }, ...((fields['env'] as object[] | undefined) ?? [])],
});

/** The container of the Pods that have a readiness probe. */
export const probedContainer = container('main', {
  readinessProbe: { exec: { command: ['test', '-e', '/tmp/ready'] }, periodSeconds: 1, failureThreshold: 1 },
});

/** Spec of a Pod that stays when the scenario of taints evicts its own. */
export const podSpec = (fields: Fields = {}): Fields => ({
  containers: [container('main')],
  automountServiceAccountToken: false,
  tolerations: [{ key: 'agreement', operator: 'Exists' }],
  ...fields,
});

const object = (apiVersion: string, kind: string, name: string, fields: Fields): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...fields,
});

export const create = {
  pod: (spec: Fields = {}, metadata: Fields = {}): Step => ({
    create: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'pod', ...metadata },
      spec: podSpec(spec),
    } as KubeObject,
  }),
  any: (apiVersion: string, kind: string, name: string, fields: Fields = {}): Step => ({
    create: object(apiVersion, kind, name, fields),
  }),
  job: (spec: Fields, pod: Fields = {}): Step => ({
    create: object('batch/v1', 'Job', 'job', {
      spec: { ...spec, template: { spec: podSpec({ restartPolicy: 'Never', ...pod }) } },
    }),
  }),
  /** A Deployment or a StatefulSet. */
  workload: (kind: 'Deployment' | 'StatefulSet', spec: Fields, pod: Fields = {}): Step => ({
    create: object('apps/v1', kind, 'web', {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        ...spec,
        template: { metadata: { labels: { app: 'web' } }, spec: podSpec(pod) },
      },
    }),
  }),
};

export const refs = {
  pod: { apiVersion: 'v1', kind: 'Pod', name: 'pod' },
  deployment: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  statefulSet: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' },
  cronJob: { apiVersion: 'batch/v1', kind: 'CronJob', name: 'cron' },
} satisfies Readonly<Record<string, Ref>>;

/** A wait for Pods that show fields. */
export const untilPod = (shows: Readonly<Record<string, string>>, count = 1): Step => ({
  until: 'Pod',
  shows,
  count,
});
