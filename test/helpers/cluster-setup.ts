import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureCoreDns } from '../../scripts/lib/test-programs.mjs';
import { startClusterBed, type ClusterBed } from '../cluster/bed/cluster-bed.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Absent where `npm run test:cluster` has not made a place for it. */
    cluster?: ClusterBed;
  }
}

/** Global set-up of the cluster rung: one cluster for all of its test files. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const {
    OP_SDK_CLUSTER_FOLDER: folder,
    OP_SDK_CLUSTER_NAME: name,
    OP_SDK_CLUSTER_NODE_ASSETS: node,
    KUBEBUILDER_ASSETS: controlPlane,
  } = process.env;
  if (folder === undefined || name === undefined || node === undefined || controlPlane === undefined)
    return undefined;
  // Of its own, also where a runner that failed as a whole is run once more.
  const own = mkdtempSync(join(folder, 'bed-'));
  const programs = { folder: own, controlPlane, node, dns: await ensureCoreDns() };
  const { bed, stop } = await startClusterBed(programs, name);
  project.provide('cluster', bed);
  return stop;
}
