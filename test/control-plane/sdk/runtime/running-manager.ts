import { createManager, type Manager, type ManagerOptions } from '../../../../src/index.ts';
import { memoryLog, type LogLine } from '../../../unit/sdk/runtime/memory-log.ts';

export interface RunningManager extends AsyncDisposable {
  readonly lines: readonly LogLine[];
  readonly ports: Manager['ports'];
  /** The result of `run`. */
  readonly ended: Promise<void>;
  /** Asks to stop and waits for the end. */
  stop(): Promise<void>;
}

/** A manager on free ports of this process, running until it is disposed of. Its first list need not be through. */
export async function runManager(
  options: Partial<ManagerOptions> & { readonly kubeconfig: string },
  ...items: readonly Parameters<Manager['add']>[0][]
): Promise<RunningManager> {
  const { log, lines } = memoryLog();
  const manager = await createManager({
    name: 'test-operator',
    health: '127.0.0.1:0',
    metrics: { address: '127.0.0.1:0', secure: false },
    log,
    ...options,
  });
  for (const item of items) manager.add(item);
  const abort = new AbortController();
  const ended = manager.run({ signal: abort.signal });
  // The test looks at `ended` later, if at all.
  ended.catch(() => undefined);
  const stop = async (): Promise<void> => {
    abort.abort(new Error('the test asks to stop'));
    await ended;
  };
  return {
    lines,
    ended,
    stop,
    get ports() {
      return manager.ports;
    },
    [Symbol.asyncDispose]: () => stop().catch(() => undefined),
  };
}

/** Status and text of a GET. */
export async function get(port: number | undefined, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, text: await response.text() };
}
