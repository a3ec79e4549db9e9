import { containers } from './scenarios/containers.ts';
import { jobs } from './scenarios/jobs.ts';
import { nodes } from './scenarios/nodes.ts';
import { workloads } from './scenarios/workloads.ts';
import type { Scenario } from './scenario.ts';

/** All scenarios. The node goes down in test/control-plane/testing/nodes.slow.test.ts only: the bed has one node, on which the tests run. */
export const scenarios: readonly Scenario[] = [...containers, ...jobs, ...nodes, ...workloads];
