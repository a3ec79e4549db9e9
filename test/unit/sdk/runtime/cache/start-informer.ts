import type { ReflectorHandler, ReflectorState } from '../../../../../src/sdk/kube/index.ts';
import { Informer, type RunReflector } from '../../../../../src/sdk/runtime/cache/informer.ts';
import { Turn } from '../../../../../src/sdk/runtime/yielding.ts';
import { ConfigMap, configMap } from '../kinds.ts';
import { ManualClock } from '../manual-clock.ts';

/** A new turn of the event loop before every step but the first of each turn: all that is done in steps can be looked at between them. */
const stepByStep = () => new Turn({ now: () => 0, budget: 0 });

interface SetUp {
  readonly turn?: Turn;
  /** Called for each change. */
  readonly onChange?: (change: string) => void;
  readonly isOptional?: boolean;
}

/** An informer that runs, and whose lists and events the test delivers. */
export function startInformer({
  turn = stepByStep(),
  onChange = () => undefined,
  isOptional = false,
}: SetUp = {}) {
  const changes: string[] = [];
  const clock = new ManualClock();
  /** Times at which watches were established again. */
  const restarts: number[] = [];
  const informer = new Informer({
    scope: { resource: ConfigMap, namespace: undefined },
    turn,
    clock,
    isOptional: () => isOptional,
    rewatched: () => restarts.push(clock.now()),
    tell({ type, object: { metadata } }, { initial }) {
      const change = `${initial ? 'initial ' : ''}${type} ${metadata.name}@${metadata.resourceVersion}`;
      changes.push(change);
      onChange(change);
    },
  });
  let handler: ReflectorHandler | undefined;
  let setState: (state: ReflectorState) => void = () => undefined;
  const reflect: RunReflector = async (_, itsHandler, onState, signal) => {
    handler = itsHandler;
    setState = onState;
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  const states: (readonly [ReflectorState, ReflectorState])[] = [];
  const stop = new AbortController();
  const ended = informer.run(reflect, (...state) => void states.push(state), stop.signal);
  // The test looks at it later, if at all.
  ended.catch(() => undefined);
  if (handler === undefined) throw new Error('run: expected to list and watch at once');
  return {
    ...{ informer, changes, states, stop, ended, setState, clock, restarts },
    watching: (isEstablished: boolean) => handler?.watching?.(isEstablished),
    list: (version: string, ...names: string[]) => handler?.replace(objects(names), version),
    event: (type: 'ADDED' | 'MODIFIED' | 'DELETED', name: string) => {
      const [object] = objects([name]);
      if (object !== undefined) handler?.apply(type, object);
    },
    /** What a reader sees. */
    view: () =>
      [...informer.store.entries()].map(([, { metadata }]) => `${metadata.name}@${metadata.resourceVersion}`),
  };
}

/** `a@3`: a ConfigMap a of the version 3. */
function objects(names: readonly string[]) {
  return names.map((each) => {
    const [name = '', resourceVersion] = each.split('@');
    return configMap(name, { resourceVersion });
  });
}
