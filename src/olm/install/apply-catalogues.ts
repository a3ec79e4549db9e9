import { applyObjects, pollCluster, type ApplyRequest } from '../../cluster/index.ts';
import { isOpSdkError, OpSdkError, type Finding } from '../../base/errors/index.ts';
import { durationText } from '../../base/util/duration-text.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import type { OlmRelease } from './release/check-release.ts';

/**
 * Applies the ClusterCatalogs of a release. A webhook must accept them, but answers only once catalogd runs and cert-manager has issued the
 * certificate of the webhook. Retries while the webhook does not answer.
 * @param left remaining milliseconds for retries
 * @param timeout total timeout in milliseconds, shown in the error message
 * @throws OpSdkError `cluster/webhook-failed` if the webhook does not answer within `left`, and other errors if the catalogues are refused
 */
export async function applyCatalogues(
  request: Omit<InstallRequest, 'release'> & { readonly objects: readonly PlacedObject[] },
  left: number,
  timeout: number,
): Promise<void> {
  const { objects, interval, signal, onOutcome, onWarning, onProgress } = request;
  if (objects.length === 0) return;
  const reported = new Set<string>();
  const warned = new Set<string>();
  const once = (seen: Set<string>, text: string): boolean => !seen.has(text) && seen.add(text).has(text);
  const seen: { failure?: readonly Finding[]; line?: string } = {};
  const attempt = async (): Promise<true | undefined> => {
    try {
      await applyObjects({
        ...request,
        // Report each object only once, because a retry would report the catalogues that the previous attempt applied as unchanged.
        onOutcome: (outcome, object) => once(reported, object.title) && onOutcome?.(outcome, object),
        onWarning: (warning) => once(warned, warning.message) && onWarning?.(warning),
      });
      return true;
    } catch (error) {
      if (!isOpSdkError(error) || !error.findings.every(({ code }) => code === 'cluster/webhook-failed'))
        throw error;
      seen.failure = error.findings;
      const line = `waiting for the webhook of the catalogues: ${error.findings[0].message}`;
      if (line !== seen.line) onProgress?.(line);
      seen.line = line;
      return undefined;
    }
  };
  const done = await pollCluster(attempt, { timeout: left, interval, signal, onProgress });
  if (done === true || seen.failure === undefined) return;
  throw new OpSdkError(
    seen.failure.map((finding) => ({
      ...finding,
      message: `${finding.message}; the webhook of the catalogues does not answer after ${durationText(timeout)}`,
      fix: [
        'check that cert-manager runs, and that the Certificates of the namespace are ready: kubectl get certificates -A',
        'run the command again with a longer --timeout: it continues where this run ended',
      ],
    })),
  );
}

export interface InstallRequest extends Pick<ApplyRequest, 'onOutcome' | 'onWarning' | 'onProgress'> {
  readonly client: KubeClient;
  readonly release: OlmRelease;
  /** Send every request as a server-side dry run; change nothing. */
  readonly dryRun?: boolean | undefined;
  /** Total number of milliseconds to wait until all parts of OLM run. */
  readonly timeout: number;
  /** Milliseconds between two polls. Default: 500. */
  readonly interval?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
