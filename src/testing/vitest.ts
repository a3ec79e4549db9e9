import type { DeepReadonly, KubeObject } from '../sdk/api/index.ts';
// This import is required, because a `declare module` augmentation alone does not import the module that it augments.
import type {} from 'vitest';
import type { ConditionStatus, ExpectedCondition } from './matchers.ts';

export { kubernetesMatchers } from './matchers.ts';

/** Types of the `kubernetesMatchers` as vitest assertions. */
export interface KubernetesAssertions<R> {
  /** Asserts that `status.conditions` of the object contains a condition with the given type, status and expected fields. */
  toHaveCondition(type: string, status: ConditionStatus, expected?: ExpectedCondition): R;
  /** Asserts that this owner is the controller of the object. */
  toBeOwnedBy(owner: DeepReadonly<KubeObject>): R;
}

declare module 'vitest' {
  // The name and the parameter are vitest's.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-explicit-any
  interface Matchers<T = any> extends KubernetesAssertions<T> {}
}
