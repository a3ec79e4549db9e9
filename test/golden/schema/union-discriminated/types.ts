import type { CustomResource, Int32 } from 'opsdk';

interface Recreate {
  type: 'Recreate';
}

/** Its own description has no place in a union. */
interface Rolling {
  /** How pods are replaced. */
  type: 'Rolling';
  /** @minimum 1 */
  maxSurge: Int32;
}

interface Canary {
  type: 'Canary' | 'BlueGreen';
  maxSurge?: Int32Surge;
  steps: Int32[];
}

/** @minimum 1 */
type Int32Surge = Int32;

/** A strategy. */
type Strategy = Recreate | Rolling | Canary;

export interface Sample extends CustomResource {
  spec: {
    strategy: Strategy;
    flag: { enabled: true; size: Int32 } | { enabled: false };
    number: { version: 1; old: string } | { version: 2; new: string } | { version: 3 };
  };
}
