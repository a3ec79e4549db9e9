import { Pod } from '../../sdk/k8s/generated/core/v1.ts';
import { resourcePath, type ClusterClient, type ObjectKey } from '../../sdk/kube/index.ts';

/** Results are far smaller; whoever prints more prints something else. */
export const mostOfLog = 4 * 1024 * 1024;

/**
 * The log of a container: standard output and standard error together.
 *
 * @param tailLines how many of the last lines; default: all, up to {@link mostOfLog}
 * @throws ApiError, TransportError
 */
export async function podLog(
  client: Pick<ClusterClient, 'raw'>,
  { namespace, name }: ObjectKey,
  container: string,
  { tailLines, signal }: { readonly tailLines?: number; readonly signal?: AbortSignal } = {},
): Promise<string> {
  const answer = await client.raw.request({
    path: resourcePath(Pod, { namespace, name, subresource: 'log' }),
    query: { container, ...(tailLines === undefined ? {} : { tailLines }), limitBytes: mostOfLog },
    signal,
  });
  return answer.text();
}
