import path from 'node:path';
import type { Finding } from '../../../base/errors/index.ts';
import { layout } from '../../../project/project/index.ts';
import { isCommentedOut, kustomizationEntries } from '../kustomization-entries.ts';

/**
 * Checks that the kustomizations that `deploy` and bundles render lead to the webhook configurations.
 * @param read gives the text of a file of the project
 */
export function unlistedWebhooks(read: (file: string) => string | undefined): readonly Finding[] {
  const { defaultConfig, webhookConfig, webhookManifests, kustomization } = layout;
  const text = read(kustomization(defaultConfig));
  // A project without kustomizations installs its webhooks in another way.
  if (text === undefined) return [];
  return [
    ...unlisted(kustomization(webhookConfig), read(kustomization(webhookConfig)) ?? '', webhookManifests),
    ...unlisted(kustomization(defaultConfig), text, path.posix.relative(defaultConfig, webhookConfig)),
  ];
}

function unlisted(file: string, text: string, entry: string): readonly Finding[] {
  const entries = kustomizationEntries(text, file);
  // What is above or elsewhere may hold it as well.
  if (entries === undefined || entries.some((each) => each === entry || each.includes(':'))) return [];
  if (isCommentedOut(text, '#', entry)) return [];
  return [
    {
      code: 'manifests/webhook-not-listed',
      message: `${entry} is not in ${file}, so the webhook configurations are not installed`,
      where: { file },
      fix: [
        `add to resources in ${file}: - ${entry}`,
        'op-sdk create webhook wires everything that webhooks need',
      ],
    },
  ];
}
