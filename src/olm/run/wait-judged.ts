import { pollCluster } from '../../cluster/index.ts';
import { OpSdkError, type Finding } from '../../errors/index.ts';
import type { Judgement } from './judgement.ts';

export interface JudgedWait {
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
 * @throws OpSdkError with the cause, the signal's reason
 */
export async function waitJudged(
  look: () => Promise<Judgement>,
  { timeout, interval, grace = 5_000, signal, onProgress }: JudgedWait,
): Promise<string | undefined> {
  const seen: { line?: string; cause?: Finding; since?: number } = {};
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
    tell(finding.message);
    if (seen.cause?.code !== finding.code) seen.since = performance.now();
    seen.cause = finding;
    if (terminal || performance.now() - (seen.since ?? 0) >= grace) throw new OpSdkError(plain(finding));
    return undefined;
  };
  const end = await pollCluster(lookOnce, { timeout, interval, signal, onProgress: tell });
  if (end === 'done') return undefined;
  if (seen.cause !== undefined) throw new OpSdkError(plain(seen.cause));
  return seen.line ?? '';
}

/** Without what is for the judges only. */
function plain({ code, message, where, fix }: Finding): Finding {
  return { code, message, ...(where === undefined ? {} : { where }), ...(fix === undefined ? {} : { fix }) };
}
