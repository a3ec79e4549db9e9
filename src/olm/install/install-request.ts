import type { ApplyRequest } from '../../cluster/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import type { OlmRelease } from './release/check-release.ts';

export interface InstallRequest extends Pick<ApplyRequest, 'onOutcome' | 'onWarning' | 'onProgress'> {
  readonly client: KubeClient;
  readonly release: OlmRelease;
  /** Send every request as a server-side dry run; change nothing. */
  readonly dryRun?: boolean | undefined;
  /** Milliseconds for OLM to run, all of its parts together. */
  readonly timeout: number;
  /** Milliseconds between two looks. Default: 500. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
