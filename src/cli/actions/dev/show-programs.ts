import { Reflector } from '../../../sdk/kube/index.ts';
import type { KubeObject, Resource } from '../../../sdk/api/index.ts';
import { Pod, Service, type ContainerStatus } from '../../../sdk/k8s/generated/core/v1.ts';
import type { CliContext } from '../../command.ts';
import type { DevTarget } from './open-target.ts';

/**
 * Prints the address of each Service, for use in other terminals, and each program of a Pod that has failed. Headless Services are left
 * out, because their names resolve to the Pods themselves.
 * @returns a function that stops the output
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
  return (pod) => {
    for (const { key, text } of programFailures(pod)) {
      if (shown.has(key)) continue;
      shown.add(key);
      report.warned(text);
    }
  };
}

/** A program that has failed. */
interface ProgramFailure {
  /** Key of the failure, which stays the same while the failure lasts. */
  readonly key: string;
  readonly text: string;
}

/** Returns the programs of a Pod that have failed. Returns none for a Pod that is being deleted, because its programs are being stopped. */
export function programFailures({ metadata, status = {} }: Pod): readonly ProgramFailure[] {
  const { namespace, name, uid = '', deletionTimestamp } = metadata;
  if (deletionTimestamp !== undefined) return [];
  const { initContainerStatuses = [], containerStatuses = [] } = status;
  return [...initContainerStatuses, ...containerStatuses].flatMap((container) => {
    const failure = failureOf(container);
    if (failure === undefined) return [];
    const { how, finishedAt } = failure;
    const log = `; its log: kubectl logs -n ${namespace} ${name} -c ${container.name}`;
    const text = `container ${container.name} of Pod ${namespace}/${name} ${how}${finishedAt === undefined ? '' : log}`;
    return [{ key: [uid, text, finishedAt].join(' '), text }];
  });
}

/** Failure of a container. Without a time, the container could not be started, and further attempts fail in the same way. */
interface Failure {
  readonly how: string;
  readonly finishedAt?: string | undefined;
}

/** Returns how a container has failed; undefined if it has not. */
function failureOf({ state = {}, lastState = {} }: ContainerStatus): Failure | undefined {
  const { terminated = lastState.terminated, waiting } = state;
  // Containers that wait for volumes, or for other containers, have not failed.
  if (waiting?.reason?.endsWith('Error') === true) return notStarted(waiting.message);
  if (terminated === undefined) return undefined;
  const { exitCode, signal, reason, message, finishedAt } = terminated;
  if (reason === 'StartError') return notStarted(message);
  if (exitCode !== 0)
    return {
      how: signal === undefined ? `ended with exit code ${exitCode}` : `was ended by signal ${signal}`,
      finishedAt,
    };
  // A program that runs itself in the background ends at once.
  return waiting?.reason === 'CrashLoopBackOff'
    ? { how: 'ended with exit code 0 and is restarted', finishedAt }
    : undefined;
}

function notStarted(message = ''): Failure {
  return { how: `cannot be started: ${message}` };
}
