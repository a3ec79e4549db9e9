import type { KubeObject } from '../../../../src/index.ts';
import type { ObjectEvent, Store } from '../../../../src/sdk/runtime/cache/index.ts';

/** Takes over a list in one go. */
export function replace(store: Store, objects: readonly KubeObject[], version: string): ObjectEvent[] {
  const steps = store.replace(objects, version);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
