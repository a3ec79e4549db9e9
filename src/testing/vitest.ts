import type { DeepReadonly, KubeObject } from '../sdk/api/index.ts';
// Importing the module is required, because an augmentation alone does not import the augmented module.
import type {} from 'vitest';
import type { ConditionStatus, ExpectedCondition } from './matchers.ts';

export { kubernetesMatchers } from './matchers.ts';

/** The types of `kubernetesMatchers` as assertions of vitest. */
export interface KubernetesAssertions<R> {
  /** Asserts that `status.conditions` of the object contains this condition. */
  toHaveCondition(type: string, status: ConditionStatus, expected?: ExpectedCondition): R;
  /** Asserts that this owner is the controller of the object. */
  toBeOwnedBy(owner: DeepReadonly<KubeObject>): R;
}

declare module 'vitest' {
  // The name and the parameter are vitest's.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-explicit-any
  interface Matchers<T = any> extends KubernetesAssertions<T> {}
}
