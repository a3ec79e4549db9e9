import type { Case } from '../case.ts';
import { coreKinds } from './core.ts';
import { jobKinds } from './jobs.ts';
import { podCases } from './pods.ts';
import { rbacKinds } from './rbac.ts';
import { smallKinds } from './small.ts';
import { storageKinds } from './storage.ts';
import { workloadKinds } from './workloads.ts';

/** The cases of each kind. */
export const kindCases: Readonly<Record<string, readonly Case[]>> = {
  Pod: podCases,
  ...coreKinds,
  ...workloadKinds,
  ...jobKinds,
  ...rbacKinds,
  ...smallKinds,
  ...storageKinds,
};
