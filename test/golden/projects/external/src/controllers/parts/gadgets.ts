import { defineController, type ObjectMeta } from 'opsdk';
import { Gadget } from '../../external/parts.example.org/v1/gadget.ts';

/** Whether the operator works on an object: others work on this kind, too. Replace it by a condition of yours. */
export function isOurs({ labels }: Pick<ObjectMeta, 'labels'>): boolean {
  return labels?.['external.example.com/managed'] === 'true';
}

export const gadgetsController = defineController({
  name: 'gadgets',
  for: Gadget,
  // Called when a Gadget was created or changed, with the object as it is now.
  async reconcile(gadget, { log }) {
    if (!isOurs(gadget.metadata)) return;
    // Do what gadget asks for. To change it, apply only the fields that are yours.
    log.info('Object observed');
  },
});
