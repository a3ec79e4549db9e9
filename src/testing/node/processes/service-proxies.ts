import { connect, createServer, type Server, type Socket } from 'node:net';
import { labelRequirements, labelsMatch } from '../../../base/util/label-selector.ts';
import type { Pod, Service, ServicePort } from '../../../sdk/k8s/generated/core/v1.ts';
import { isReady } from '../../../sdk/runtime/index.ts';
import type { AddressBlock } from './address-block.ts';
import { portNumber } from './run-handler.ts';

interface ServiceProxiesOptions {
  readonly block: AddressBlock;
  /** Returns all Pods. */
  readonly pods: () => readonly Pod[];
  /** Called if a port cannot be opened. */
  readonly onError: (error: unknown) => void;
}

/**
 * Does what kube-proxy does for TCP: connections to the address of a Service go to its Pods that are ready, one after the other. A Service
 * without ready Pods refuses connections.
 */
export class ServiceProxies {
  readonly #options: ServiceProxiesOptions;
  readonly #servers = new Map<string, Server>();
  readonly #sockets = new Set<Socket>();
  readonly #services = new Map<string, Service>();
  #turn = 0;

  constructor(options: ServiceProxiesOptions) {
    this.#options = options;
  }

  /** Opens and closes ports for a Service that is new, has changed, or was deleted (`after` is undefined). */
  take(before: Service | undefined, after: Service | undefined): void {
    if (before !== undefined) this.#services.delete(titleOf(before));
    if (after?.spec?.selector !== undefined) this.#services.set(titleOf(after), after);
    const wanted = new Map(after?.spec?.selector === undefined ? [] : portsOf(after));
    for (const [key] of before === undefined ? [] : portsOf(before)) {
      if (wanted.has(key)) continue;
      this.#servers.get(key)?.close();
      this.#servers.delete(key);
    }
    for (const [key, port] of wanted)
      if (after !== undefined && !this.#servers.has(key)) this.#open(key, after, port.port);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(
      [...this.#servers.values()].map(
        (server) => new Promise<void>((resolve) => server.close(() => resolve())),
      ),
    );
  }

  #open(key: string, service: Service, port: number): void {
    const { block, onError } = this.#options;
    const { namespace = '', name } = service.metadata;
    const title = titleOf(service);
    // The two directions end separately, as with kube-proxy, which only redirects packets.
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#forward(title, port, socket));
    server.on('error', onError);
    server.listen({ host: block.serviceAddress(namespace, name), port });
    // A Service must not keep the test process running.
    server.unref();
    this.#servers.set(key, server);
  }

  #forward(title: string, port: number, socket: Socket): void {
    const target = this.#choose(title, port);
    socket.on('error', () => socket.destroy());
    if (target === undefined) return void socket.resetAndDestroy();
    const pod = connect({ ...target, allowHalfOpen: true });
    for (const [one, other] of [
      [socket, pod],
      [pod, socket],
    ] as const) {
      this.#sockets.add(one);
      // What has been received is still sent after an orderly end.
      one.on('close', () => {
        this.#sockets.delete(one);
        if (one.errored || !one.readableEnded) other.destroy();
      });
      one.on('error', () => other.destroy());
      one.pipe(other);
    }
  }

  #choose(title: string, port: number): { readonly host: string; readonly port: number } | undefined {
    const service = this.#services.get(title);
    const { selector = {}, clusterIP, publishNotReadyAddresses, ports = [] } = service?.spec ?? {};
    const { targetPort = port } = ports.find((each) => each.port === port) ?? {};
    const requirements = labelRequirements({ matchLabels: selector });
    const targets = this.#options
      .pods()
      .filter(
        (pod) =>
          pod.metadata.namespace === service?.metadata.namespace &&
          (publishNotReadyAddresses === true || isReady(pod)) &&
          labelsMatch(requirements, pod.metadata.labels),
      )
      .flatMap(({ spec, status: { podIP: host } = {} }) => {
        const all = (spec?.containers ?? []).flatMap((container) => container.ports ?? []);
        // The name of a headless Service leads to its Pods themselves.
        const number = clusterIP === 'None' ? port : portNumber(targetPort, all);
        // A Pod without a port of that name is left out.
        return host === undefined || number === undefined ? [] : [{ host, port: number }];
      });
    return targets[this.#turn++ % Math.max(targets.length, 1)];
  }
}

function titleOf({ metadata: { namespace, name } }: Service): string {
  return `${namespace}/${name}`;
}

/** Returns the TCP ports of a Service by keys. */
function portsOf(service: Service): readonly (readonly [string, ServicePort])[] {
  return (service.spec?.ports ?? [])
    .filter(({ protocol = 'TCP' }) => protocol === 'TCP')
    .map((port) => [`${titleOf(service)} ${port.port}`, port] as const);
}
