import { defineController, type ObjectMeta } from 'opsdk';
import { Ingress } from 'opsdk/k8s/networking/v1';

/** Whether the operator works on an object: others work on this kind, too. Replace it by a condition of yours. */
export function isOurs({ labels }: Pick<ObjectMeta, 'labels'>): boolean {
  return labels?.['core.example.com/managed'] === 'true';
}

export const ingressController = defineController({
  for: Ingress,
  // Called when an Ingress was created or changed, with the object as it is now.
  async reconcile(ingress, { log }) {
    if (!isOurs(ingress.metadata)) return;
    // Do what ingress asks for. To change it, apply only the fields that are yours.
    log.info('Object observed');
  },
});
