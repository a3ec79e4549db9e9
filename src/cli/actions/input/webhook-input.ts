import { join, relative } from 'node:path';
import { renderKustomization } from '../../../kubernetes/kustomize/index.ts';
import { layout } from '../../../project/project/index.ts';
import { readWebhookFiles } from '../../../testing/webhooks/read-webhook-files.ts';
import { isWebhookConfiguration } from '../../../testing/webhooks/with-webhook-urls.ts';
import { diskView, type FileView } from '../../../base/util/file-view.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';

/**
 * The webhook configurations of config/webhook: those of its kustomization, or of its files if it has none.
 * @returns none for a project without webhooks
 * @throws OpSdkError with all findings
 */
export async function webhookInput(
  { cwd }: Pick<CliContext, 'cwd'>,
  files: FileView = diskView,
): Promise<readonly PlacedObject[]> {
  const folder = join(cwd, layout.webhookConfig);
  if (!files.directoryExists(folder)) return [];
  if (!files.fileExists(join(cwd, layout.kustomization(layout.webhookConfig)))) {
    const read = await readWebhookFiles([folder]);
    return read.map(({ object, where }) => ({
      object,
      where: !('file' in where) ? where : { ...where, file: relative(cwd, where.file) },
    }));
  }
  const objects = await renderKustomization(layout.webhookConfig, { cwd });
  return objects.filter(({ object }) => isWebhookConfiguration(object));
}
