import { defineController, type ObjectMeta } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';

/** Whether the operator works on an object: others work on this kind, too. Replace it by a condition of yours. */
export function isOurs({ labels }: Pick<ObjectMeta, 'labels'>): boolean {
  return labels?.['core.example.com/managed'] === 'true';
}

export const deploymentAuditController = defineController({
  name: 'deployment-audit',
  for: Deployment,
  // Called when a Deployment was created or changed, with the object as it is now.
  async reconcile(deployment, { log }) {
    if (!isOurs(deployment.metadata)) return;
    // Do what deployment asks for. To change it, apply only the fields that are yours.
    log.info('Object observed');
  },
});
