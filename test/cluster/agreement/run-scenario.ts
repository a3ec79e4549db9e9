import type { KubeObject } from '../../../src/sdk/api/index.ts';
import { isTooManyRequests, resourcePath, type KubeClient } from '../../../src/sdk/kube/index.ts';
import type { Pod } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { Node, Pod as PodResource } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { fieldsOf } from './fields.ts';
import { Recorder, type Recording } from './recorder.ts';
import type { ExitCode, Ref, Scenario, Step } from './scenario.ts';

/** Pods of a namespace that a scenario acts on: those of a real kubelet, or pretended ones. */
export interface Side {
  readonly client: KubeClient;
  readonly nodeName: string;
  /** Creates a namespace in which Pods can be created. @returns its name */
  namespace(): Promise<string>;
  /** Called before the first step. */
  begin(namespace: string, scenario: Scenario): void;
  /** Ends a running container. */
  exit(pod: Pod, container: string, code: ExitCode): Promise<void>;
  /** Makes the readiness probe of a Pod's only container succeed or fail. */
  probe(pod: Pod, succeeds: boolean): Promise<void>;
  push(image: string): Promise<void>;
  /** Milliseconds without change after which nothing more comes. */
  readonly quiet: number;
  /** Milliseconds that one step may take. */
  readonly timeout: number;
}

const versions: Readonly<Record<string, string>> = {
  Pod: 'v1',
  PersistentVolumeClaim: 'v1',
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
};

/** Runs a scenario in a namespace of its own, and returns the states of the objects that it watches. */
export async function runScenario(side: Side, scenario: Scenario): Promise<Recording> {
  const namespace = await side.namespace();
  const placed = JSON.parse(JSON.stringify(scenario).replaceAll('$NS', namespace)) as Scenario;
  side.begin(namespace, placed);
  const watching = new AbortController();
  const { signal } = watching;
  const failures: unknown[] = [];
  const ended = new Set<string>();
  /** Ends containers that are seen running, as the scenario says. */
  const react = (object: KubeObject): void => {
    const pod = object as Pod;
    const { initContainerStatuses = [], containerStatuses = [] } = pod.status ?? {};
    for (const { name, state, containerID = '', restartCount } of [
      ...initContainerStatuses,
      ...containerStatuses,
    ]) {
      const code = placed.exits?.[name]?.[restartCount];
      if (state?.running === undefined || code === undefined || ended.has(containerID)) continue;
      ended.add(containerID);
      side.exit(pod, name, code).catch((error: unknown) => failures.push(error));
    }
  };
  const kinds = new Set(['Pod', ...placed.watch.map(({ kind }) => kind)]);
  const start = async (kind: string): Promise<[string, Recorder]> => {
    const place = { apiVersion: versions[kind] ?? '', kind, namespace };
    const onChange = kind === 'Pod' ? react : undefined;
    return [kind, await Recorder.start(side.client, { ...place, signal, onChange })];
  };
  try {
    const recorders = new Map(await Promise.all([...kinds].map(start)));
    for (const step of placed.steps) await take(side, namespace, recorders, step);
    await Promise.all([...recorders.values()].map((recorder) => recorder.untilQuiet(side.quiet)));
    if (failures.length > 0) throw failures[0] as Error;
    return Object.fromEntries(
      placed.watch.map((watched) => [watched.kind, recorderOf(recorders, watched.kind).sequences(watched)]),
    );
  } finally {
    watching.abort();
    const { raw } = side.client;
    for (const step of placed.after ?? []) await take(side, namespace, new Map(), step);
    await raw.request({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  }
}

function recorderOf(recorders: ReadonlyMap<string, Recorder>, kind: string): Recorder {
  const found = recorders.get(kind);
  if (found === undefined) throw new TypeError(`expected a watched kind, got ${kind}`);
  return found;
}

async function take(
  side: Side,
  namespace: string,
  recorders: ReadonlyMap<string, Recorder>,
  step: Step,
): Promise<void> {
  const { client } = side;
  const running = (container: string): readonly Pod[] =>
    (recorderOf(recorders, 'Pod').objects as readonly Pod[]).filter(({ status }) =>
      status?.containerStatuses?.some(({ name, state }) => name === container && state?.running),
    );
  if ('create' in step) {
    const { resource, isNamespaced } = await served(client, step.create);
    const metadata = { ...step.create.metadata, ...(isNamespaced ? { namespace } : {}) };
    await client.create(resource, { ...step.create, metadata });
  } else if ('patch' in step) {
    const { resource } = await served(client, step.patch);
    const key = { name: step.patch.name, namespace };
    const { subresource } = step;
    await client.patch(resource, key, { type: 'merge', body: step.with }, subresource && { subresource });
  } else if ('remove' in step) {
    const { resource, isNamespaced } = await served(client, step.remove);
    const place = { namespace: isNamespaced ? namespace : undefined, name: step.remove.name };
    await client.raw.request({
      method: 'DELETE',
      path: resourcePath(resource, place),
      body: {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Background',
        gracePeriodSeconds: step.graceSeconds,
      },
    });
  } else if ('evict' in step) {
    const key = { name: step.evict, namespace };
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: key };
    let isRefused = false;
    try {
      await client.subresource(PodResource, key, 'eviction').create(body);
    } catch (error) {
      if (!isTooManyRequests(error)) throw error;
      isRefused = true;
    }
    if (isRefused !== step.isRefused)
      throw new Error(`expected isRefused ${step.isRefused}, got ${isRefused}`);
  } else if ('exit' in step) {
    const { exit, code } = step;
    await Promise.all(running(exit).map((pod) => side.exit(pod, exit, code)));
  } else if ('probe' in step) {
    for (const pod of running('main'))
      if (pod.metadata.name === step.probe) await side.probe(pod, step.succeeds);
  } else if ('push' in step) await side.push(step.push);
  else if ('node' in step)
    await client.patch(Node, { name: side.nodeName }, { type: 'merge', body: step.node });
  else if ('until' in step) {
    const { until, shows, count = 1 } = step;
    const isShown = (object: KubeObject): boolean => {
      const fields = fieldsOf(object);
      return Object.entries(shows).every(([name, value]) => (fields[name] ?? '-') === value);
    };
    const title = `${count} ${until} with ${JSON.stringify(shows)}`;
    const holds = (objects: readonly KubeObject[]): boolean => objects.filter(isShown).length === count;
    await recorderOf(recorders, until).until(title, holds, side.timeout);
  } else {
    const { untilGone } = step;
    const holds = (objects: readonly KubeObject[]): boolean => objects.length === 0;
    await recorderOf(recorders, untilGone).until(`no ${untilGone}`, holds, side.timeout);
  }
}

async function served(client: KubeClient, { apiVersion, kind }: Omit<Ref, 'name'>) {
  const resource = await client.resourceOf({ apiVersion, kind });
  return { resource, isNamespaced: resource.namespaced };
}
