import type { DeepReadonly, KubeObject } from '../sdk/api/index.ts';
// An augmentation does not import the augmented module by itself.
import type {} from 'vitest';
import type { ConditionStatus, ExpectedCondition } from './matchers.ts';

export { kubernetesMatchers } from './matchers.ts';

/** The matchers as assertions. */
export interface KubernetesAssertions<R> {
  /** The object's `status.conditions` has this condition. */
  toHaveCondition(type: string, status: ConditionStatus, expected?: ExpectedCondition): R;
  /** The object's controller is this owner. */
  toBeOwnedBy(owner: DeepReadonly<KubeObject>): R;
}

declare module 'vitest' {
  // The name and the parameter are vitest's.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-explicit-any
  interface Matchers<T = any> extends KubernetesAssertions<T> {}
}
