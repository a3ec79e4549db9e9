import type { KubeObject } from '../../../../../src/sdk/api/index.ts';
import {
  Reflector,
  type ApiCall,
  type Connection,
  type ReflectorOptions,
  type ReflectorState,
} from '../../../../../src/sdk/kube/index.ts';

/** Changes the query of a request; undefined leaves it as it is. */
export type Tamper = (
  query: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, string | number | boolean | undefined>> | undefined;

export interface Mirrored {
  /** `watchlist`, `list 0`, `watch at a version`, … */
  readonly requests: string[];
  /** The queries of these requests, as they were sent. */
  readonly queries: Readonly<Record<string, unknown>>[];
  readonly objects: Map<string, KubeObject>;
  readonly events: string[];
  readonly states: ReflectorState[];
  readonly reflector: Reflector;
  stop(): Promise<void>;
}

const running: Mirrored[] = [];

/** For `afterEach`. */
export async function stopMirrors(): Promise<void> {
  for (const each of running.splice(0)) await each.stop();
}

function kindOf({ query = {} }: ApiCall): string {
  const version = query['resourceVersion'];
  const suffix = version === undefined ? '' : ` ${version === '0' ? '0' : 'at a version'}`;
  if (query['sendInitialEvents'] === true) return `watchlist${suffix}`;
  if (query['watch'] === true) return `watch${suffix}`;
  return query['continue'] === undefined ? `list${suffix}` : 'list continued';
}

/** A reflector whose requests are written down, and changed by `tamper` on their way. */
export function mirror(
  connection: Connection,
  options: Partial<ReflectorOptions> & Pick<ReflectorOptions, 'resource'>,
  tamper?: Tamper,
): Mirrored {
  const requests: string[] = [];
  const queries: Readonly<Record<string, unknown>>[] = [];
  const objects = new Map<string, KubeObject>();
  const events: string[] = [];
  const states: ReflectorState[] = [];
  const change = (call: ApiCall): ApiCall => {
    requests.push(kindOf(call));
    const query = tamper?.(call.query ?? {});
    queries.push(query ?? call.query ?? {});
    return query === undefined ? call : { ...call, query };
  };
  const recorded: Connection = {
    cluster: connection.cluster,
    request: (call) => connection.request(change(call)),
    stream: (call) => connection.stream(change(call)),
    upgrade: () => Promise.reject(new Error('not expected')),
    warn: (text) => connection.warn(text),
    close: () => connection.close(),
  };
  const reflector = new Reflector({
    connection: recorded,
    handler: {
      replace(all) {
        events.push(`replace ${all.length}`);
        objects.clear();
        for (const object of all) objects.set(object.metadata.name ?? '', object);
      },
      apply(type, object) {
        const name = object.metadata.name ?? '';
        events.push(`${type} ${name}`);
        if (type === 'DELETED') objects.delete(name);
        else objects.set(name, object);
      },
    },
    onState: (state) => states.push(state),
    ...options,
  });
  const abort = new AbortController();
  const run = reflector.run(abort.signal);
  const mirrored: Mirrored = {
    requests,
    queries,
    objects,
    events,
    states,
    reflector,
    async stop() {
      abort.abort();
      await run;
    },
  };
  running.push(mirrored);
  return mirrored;
}
