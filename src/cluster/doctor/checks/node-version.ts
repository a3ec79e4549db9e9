import { oldestNode } from '../../../base/util/node-version.ts';
import { compareVersions } from '../compare-versions.ts';
import { defineCheck, ok, problem } from '../check.ts';

/** Checks that this Node can run op-sdk and the operators that it bundles. */
export const nodeVersion = defineCheck({
  name: 'node',
  needs: [],
  run(_facts, { nodeVersion: version }) {
    if (compareVersions(version, oldestNode) >= 0) return ok(`Node ${version}`);
    const message = `Node ${version} is older than ${oldestNode}`;
    return problem('cluster/old-node', message, `install Node ${oldestNode} or newer`);
  },
});
