import { Reflector } from '../../../sdk/kube/index.ts';
import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import { Pod, Service, type ContainerStatus } from '../../../sdk/k8s/generated/core/v1.ts';
import type { CliContext } from '../../command.ts';
import type { DevTarget } from './open-target.ts';

/**
 * Prints what other terminals need of Pods that run as processes of this machine: the address of each Service, and each program that has
 * failed. Headless Services are left out: their names are for the Pods themselves.
 * @returns what ends it
 */
export function showPrograms(
  context: CliContext,
  { client, workloads }: Pick<DevTarget, 'client' | 'workloads'>,
): AsyncDisposable {
  const stop = new AbortController();
  const follow = <K extends KubeObject>(resource: Resource<K>, show: (object: K) => void): Promise<void> =>
    new Reflector({
      ...{ connection: client.connection, resource },
      handler: {
        replace: (objects) => objects.forEach((object) => show(object)),
        apply: (type, object) => (type === 'DELETED' ? undefined : show(object)),
      },
    }).run(stop.signal);
  const resolve = (name: string): string => workloads?.resolve(name) ?? '';
  const done = Promise.all([
    follow(Service, serviceLines(context, resolve)),
    follow(Pod, failureLines(context)),
  ]);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await done;
    },
  };
}

function serviceLines({ report }: CliContext, resolve: (name: string) => string): (service: Service) => void {
  const shown = new Map<string, string>();
  return ({ metadata: { namespace, name, uid = '' }, spec = {} }) => {
    const { selector, clusterIP, ports = [] } = spec;
    if (selector === undefined || clusterIP === 'None') return;
    const address = resolve(`${name}.${namespace}.svc`);
    const tcp = ports.filter(({ protocol = 'TCP' }) => protocol === 'TCP');
    const text = tcp.map(({ port }) => `${address}:${port}`).join(', ');
    if (text === '' || shown.get(uid) === text) return;
    shown.set(uid, text);
    report.info(`Service ${report.paint('strong', `${namespace}/${name}`)} is at ${text}`);
  };
}

function failureLines({ report }: CliContext): (pod: Pod) => void {
  const shown = new Set<string>();
  return ({ metadata: { namespace, name, uid }, status = {} }) => {
    const { initContainerStatuses = [], containerStatuses = [] } = status;
    for (const container of [...initContainerStatuses, ...containerStatuses]) {
      const failure = failureOf(container);
      if (failure === undefined) continue;
      const text = `container ${container.name} of Pod ${namespace}/${name} ${failure.text}`;
      const key = `${uid} ${failure.key} ${text}`;
      if (shown.has(key)) continue;
      shown.add(key);
      report.warned(`${text}; its log: kubectl logs -n ${namespace} ${name} -c ${container.name}`);
    }
  };
}

/** Returns how a container has failed; undefined if it has not. */
function failureOf({
  state = {},
  lastState = {},
}: ContainerStatus): { readonly key: string; readonly text: string } | undefined {
  const { exitCode = 0, signal, finishedAt } = state.terminated ?? lastState.terminated ?? {};
  if (exitCode !== 0)
    return {
      key: String(finishedAt),
      text: signal === undefined ? `ended with exit code ${exitCode}` : `was ended by signal ${signal}`,
    };
  const { reason = '', message = '' } = state.waiting ?? {};
  // Containers that wait for volumes or for their turn have not failed.
  return reason.endsWith('Error') ? { key: reason, text: `cannot be started: ${message}` } : undefined;
}
