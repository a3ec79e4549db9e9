import { lastLogLines, pollCluster } from '../../cluster/index.ts';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import type { Cause, Judgement } from './judgement.ts';

export interface JudgedWait {
  readonly client: KubeClient;
  /** Milliseconds. */
  readonly timeout: number;
  /** Milliseconds between two looks. Default: 500. */
  readonly interval?: number | undefined;
  /** Milliseconds for which a cause has to be seen before it counts, as OLM and nodes try everything again. Default: 5 s. */
  readonly grace?: number | undefined;
  readonly signal: AbortSignal;
  /** Called with what is being waited for, whenever it changes. */
  readonly onProgress: (line: string) => void;
}

/**
 * Looks again and again until what is judged is done. An API server that is away for a while does not end the wait.
 *
 * @returns undefined when it is done, else what was waited for last
 * @throws OpSdkError with the cause and the last lines of its log, the signal's reason
 */
export async function waitJudged(
  look: () => Promise<Judgement>,
  { client, timeout, interval, grace = 5_000, signal, onProgress }: JudgedWait,
): Promise<string | undefined> {
  const seen: { line?: string; cause?: Cause; since?: number } = {};
  const tell = (line: string): void => {
    if (line !== seen.line) onProgress(line);
    seen.line = line;
  };
  const lookOnce = async (): Promise<'done' | undefined> => {
    const judgement = await look();
    if (judgement.state === 'done') return 'done';
    if (judgement.state === 'waiting') {
      delete seen.cause;
      tell(judgement.line);
      return undefined;
    }
    const { finding, terminal } = judgement;
    // A problem that may pass by itself is reported only as the cause.
    if (seen.cause?.code !== finding.code) seen.since = performance.now();
    seen.cause = finding;
    if (terminal || performance.now() - (seen.since ?? 0) >= grace)
      throw new OpSdkError(await withLog(client, finding, signal));
    return undefined;
  };
  const end = await pollCluster(lookOnce, { timeout, interval, signal, onProgress: tell });
  if (end === 'done') return undefined;
  if (seen.cause !== undefined) throw new OpSdkError(await withLog(client, seen.cause, signal));
  return seen.line ?? '';
}

/** The finding of a cause, with the last lines of the log that shows more. */
async function withLog(client: KubeClient, cause: Cause, signal: AbortSignal): Promise<Finding> {
  const { code, message, where, fix, log } = cause;
  const { pod = '', namespace, container = '', previous = false } = log ?? {};
  const lines =
    log === undefined
      ? []
      : await lastLogLines(client, { name: pod, namespace }, { container, previous }, signal);
  return {
    ...{ code, fix },
    message: [message, ...lines.map((line) => `  ${line}`)].join('\n'),
    ...(where === undefined ? {} : { where }),
  };
}
