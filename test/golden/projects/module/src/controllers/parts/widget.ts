import { defineController, type ObjectMeta } from 'opsdk';
import { Widget } from 'widgets/v1';

/** Whether the operator works on an object: others work on this kind, too. Replace it by a condition of yours. */
export function isOurs({ labels }: Pick<ObjectMeta, 'labels'>): boolean {
  return labels?.['module.example.com/managed'] === 'true';
}

export const widgetController = defineController({
  for: Widget,
  // Called when a Widget was created or changed, with the object as it is now.
  async reconcile(widget, { log }) {
    if (!isOurs(widget.metadata)) return;
    // Do what widget asks for. To change it, apply only the fields that are yours.
    log.info('Object observed');
  },
});
