import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import { playOlmV0 } from './olm-v0.ts';
import { playOlmV1 } from './olm-v1.ts';
import type { Faults } from './stand-in.ts';

type Play = (client: KubeClient, faults?: Faults) => AsyncDisposable;
type Step = NonNullable<Faults['stopsBefore']>;

/** Both versions of OLM: what plays them, and the steps that each of them takes. */
export const plays: readonly (readonly ['v0' | 'v1', Play, readonly Step[]])[] = [
  ['v0', playOlmV0, ['catalog', 'plan', 'unpack', 'deployment']],
  ['v1', playOlmV1, ['catalog', 'deployment']],
];
