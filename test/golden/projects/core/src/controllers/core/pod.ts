import { defineController, type ObjectMeta } from 'opsdk';
import { Pod } from 'opsdk/k8s/core/v1';

/** Whether the operator works on an object: others work on this kind, too. Replace it by a condition of yours. */
export function isOurs({ labels }: Pick<ObjectMeta, 'labels'>): boolean {
  return labels?.['core.example.com/managed'] === 'true';
}

export const podController = defineController({
  for: Pod,
  // Called when a Pod was created or changed, with the object as it is now.
  async reconcile(pod, { log }) {
    if (!isOurs(pod.metadata)) return;
    // Do what pod asks for. To change it, apply only the fields that are yours.
    log.info('Object observed');
  },
});
