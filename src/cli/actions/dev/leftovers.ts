import { removeLeftovers } from '../../../cluster/webhooks/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import type { CliContext } from '../../command.ts';

/** Takes what a killed command of a project has left of its webhooks off a cluster that outlives us, and says so. @throws ApiError */
export async function removeWebhookLeftovers(
  { report, signal }: CliContext,
  client: KubeClient,
  project: string,
): Promise<void> {
  const { done, problems } = await removeLeftovers(client, project, signal);
  for (const each of done) report.step(each);
  for (const each of problems) report.warned(each);
}
