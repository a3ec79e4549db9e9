import type { RemoveRequest } from '../../../cluster/index.ts';
import type { Finding } from '../../../base/errors/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import type { OlmRelease } from '../release/check-release.ts';

export interface UninstallRequest extends Pick<RemoveRequest, 'onOutcome' | 'onProgress'> {
  readonly client: KubeClient;
  readonly release: OlmRelease;
  /** Ask the server for everything, delete nothing. */
  readonly dryRun?: boolean | undefined;
  /** Delete also what OLM manages, and remove finalizers that its operators do not. */
  readonly force?: boolean | undefined;
  /** Milliseconds to wait for each of the steps. */
  readonly timeout: number;
  /** Milliseconds between two looks. Default: 500. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called once before anything is deleted, with what would be lost beside the release. It throws to keep everything. */
  readonly onConfirm: (losses: readonly Finding[]) => Promise<void>;
}
