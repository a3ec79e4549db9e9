import { conditionsOf, defineController } from 'opsdk';
import { Widget, type WidgetStatus } from '../../api/shop/v1/widget.ts';

/** The status of a Widget. Replace it by what your operator observes. */
export function observedStatus(widget: Widget): WidgetStatus {
  const conditions = conditionsOf(widget, ['Ready']);
  conditions.true('Ready', 'Reconciled', 'The operator has seen the object');
  return { conditions: conditions.toJSON() };
}

export const widgetController = defineController({
  for: Widget,
  // Called when a Widget was created or changed, with the object as it is now.
  async reconcile(widget, { client, key }) {
    // Create what widget.spec asks for, then report what you observe.
    await client.applyStatus(Widget, key, observedStatus(widget));
  },
  // Called when reconcile has failed. It is retried, and the status says why.
  async onError(widget, { message }, { client, key }) {
    const conditions = conditionsOf(widget, ['Ready']);
    conditions.false('Ready', 'ReconcileFailed', message);
    await client.applyStatus(Widget, key, { conditions: conditions.toJSON() });
  },
});
