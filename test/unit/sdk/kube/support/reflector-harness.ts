import { externalResource, type KubeObject } from '../../../../../src/sdk/api/index.ts';
import {
  openConnection,
  Reflector,
  type Connection,
  type ReflectorOptions,
  type ReflectorState,
} from '../../../../../src/sdk/kube/index.ts';
import type { Clock } from '../../../../../src/sdk/net/index.ts';
import {
  scriptedServer,
  type Exchange,
  type ScriptedProtocol,
  type ScriptedServer,
} from './scripted-server.ts';

export interface Thing extends KubeObject {
  data?: Record<string, string>;
}
export const Thing = externalResource<Thing>({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  scope: 'Namespaced',
});

export const thing = (name: string, resourceVersion: string, data?: Record<string, string>): Thing => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion },
  ...(data === undefined ? {} : { data }),
});
export const added = (object: Thing): object => ({ type: 'ADDED', object });
export const modified = (object: Thing): object => ({ type: 'MODIFIED', object });
export const deleted = (object: Thing): object => ({ type: 'DELETED', object });
export const bookmark = (resourceVersion: string): object => ({
  type: 'BOOKMARK',
  object: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { resourceVersion } },
});
export const endOfInitialEvents = (resourceVersion: string): object => ({
  type: 'BOOKMARK',
  object: {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } },
  },
});
export const status = (code: number, reason: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Status',
  status: 'Failure',
  code,
  reason,
  message: `scripted ${reason}`,
  ...more,
});
export const errorEvent = (code: number, reason: string): object => ({
  type: 'ERROR',
  object: status(code, reason),
});
export const tooLarge = status(504, 'Timeout', {
  details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
});
export const list = (resourceVersion: string, items: readonly Thing[], more: object = {}): object => ({
  apiVersion: 'example.com/v1',
  kind: 'ThingList',
  metadata: { resourceVersion, ...more },
  items: items.map(({ metadata, data }) => ({ metadata, ...(data === undefined ? {} : { data }) })),
});

/** What a request of a reflector is: streaming list, plain list, or watch with its version. */
export function kindOf(exchange: Exchange): string {
  const { query } = exchange;
  const version = query['resourceVersion'];
  if (query['sendInitialEvents'] === 'true')
    return version === undefined ? 'watchlist' : `watchlist ${version}`;
  if (query['watch'] === 'true') return `watch ${version ?? ''}`;
  if (query['continue'] !== undefined) return `list continue ${query['continue']}`;
  return `list ${version ?? "''"}`;
}

/** Time that jumps over back-off at once and never reaches the end of a watch. */
export class JumpingClock implements Clock {
  /** The delays that were jumped over, milliseconds. */
  readonly delays: number[] = [];
  #jumped = 0;

  now(): number {
    return performance.now() + this.#jumped;
  }

  today(): Date {
    return new Date(Date.now() + this.#jumped);
  }

  /** Lets time pass without anything happening; no timer is called for it. */
  advance(milliseconds: number): void {
    this.#jumped += milliseconds;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const isBackoff = milliseconds < 120_000;
    const timer = setTimeout(
      () => {
        if (isBackoff) {
          this.delays.push(milliseconds);
          this.#jumped += milliseconds;
        }
        callback();
      },
      isBackoff ? 1 : milliseconds,
    );
    return () => clearTimeout(timer);
  }
}

export interface Mirror {
  readonly server: ScriptedServer;
  readonly clock: JumpingClock;
  readonly reflector: Reflector<Thing>;
  /** What the handler was told: `replace a,b @5`, `ADDED a`. */
  readonly log: readonly string[];
  readonly states: readonly ReflectorState[];
  /** Sizes that were reported while a list arrived. */
  readonly sizes: readonly number[];
  /** Begins (true) and ends (false) of watches. */
  readonly watches: readonly boolean[];
  /** Objects by name as the handler knows them. */
  readonly objects: ReadonlyMap<string, Thing>;
  readonly requests: () => readonly string[];
  readonly until: (condition: () => boolean) => Promise<void>;
  readonly running: Promise<void>;
  readonly abort: AbortController;
}

const mirrors: { stop: () => Promise<void> }[] = [];

/** Stops what `mirror` started. */
export async function stopMirrors(): Promise<void> {
  for (const { stop } of mirrors.splice(0)) await stop();
}

/** A reflector on a scripted server; `script` answers its requests. */
export async function mirror(
  protocol: ScriptedProtocol,
  script: (exchange: Exchange, kind: string) => void,
  options: Partial<ReflectorOptions<Thing>> = {},
): Promise<Mirror> {
  const server = await scriptedServer(protocol, (exchange) => script(exchange, kindOf(exchange)));
  const connection = openConnection(server.cluster, { protocol, onWarning: () => undefined });
  return startMirror(server, connection, options);
}

function startMirror(
  server: ScriptedServer,
  connection: Connection,
  options: Partial<ReflectorOptions<Thing>>,
): Mirror {
  const log: string[] = [];
  const states: ReflectorState[] = [];
  const sizes: number[] = [];
  const watches: boolean[] = [];
  const objects = new Map<string, Thing>();
  const clock = new JumpingClock();
  const abort = new AbortController();
  const reflector = new Reflector<Thing>({
    connection,
    resource: Thing,
    clock,
    random: () => 0,
    handler: {
      replace(all, resourceVersion) {
        objects.clear();
        for (const object of all) objects.set(object.metadata.name ?? '', object);
        log.push(`replace ${[...objects.keys()].join(',')} @${resourceVersion}`);
      },
      apply(type, object) {
        const name = object.metadata.name ?? '';
        if (type === 'DELETED') objects.delete(name);
        else objects.set(name, object);
        log.push(`${type} ${name}`);
      },
      listing: (bytes) => sizes.push(bytes),
      watching: (isEstablished) => watches.push(isEstablished),
    },
    onState: (state) => states.push(state),
    ...options,
  });
  const running = reflector.run(abort.signal);
  running.catch(() => undefined);
  mirrors.push({
    async stop() {
      abort.abort();
      await running.catch(() => undefined);
      await connection.close();
      await server.close();
    },
  });
  const requests = (): readonly string[] => server.requests.map(kindOf);
  const until = async (condition: () => boolean): Promise<void> => {
    const deadline = performance.now() + 10_000;
    while (!condition()) {
      if (performance.now() > deadline) {
        throw new Error(
          `it did not come to that: ${JSON.stringify({ log, requests: requests(), errors: states.map((each) => each.error?.message) })}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  return { server, clock, reflector, log, states, sizes, watches, objects, requests, until, running, abort };
}

/** A streaming list that is complete at once and stays open. */
export function initial(exchange: Exchange, version: string, ...things: Thing[]): void {
  exchange.open();
  exchange.events(...things.map(added), endOfInitialEvents(version));
}
