// The inventory of `deploy` is an ApplySet: kubectl's own code reads it, and finds the same members.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { applySetId } from '../../../src/cluster/inventory/apply-set.ts';
import {
  clusterRole,
  deployedFolder,
  operator,
  settings,
} from '../../control-plane/cluster/inventory-helpers.ts';
import { sharedControlPlane, uniqueName, uniqueNamespace } from '../../helpers/control-plane.ts';

/** The Go command; GO names another than the one on the PATH. */
const go = process.env['GO'] ?? 'go';
const folder = mkdtempSync(join(tmpdir(), 'op-sdk-applyset-'));
const oracle = join(folder, 'oracle');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function whyNot(): string | undefined {
  try {
    execFileSync(go, ['build', '-o', oracle, '.'], { cwd: import.meta.dirname, stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `kubectl's code cannot be built: ${String(error)}`;
  }
}

test('kubectl finds the members of an inventory, and does not take it for its own', async ({ skip }) => {
  const reason = whyNot();
  if (reason !== undefined) skip(reason);
  const plane = await sharedControlPlane();
  const namespace = await uniqueNamespace(plane, 'applyset');
  const other = await uniqueNamespace(plane, 'applyset');
  const name = uniqueName('op');
  await using project = await deployedFolder(plane.kubeconfig);
  await project.deploy([
    operator(name, namespace),
    settings(name, namespace),
    settings(name, other),
    clusterRole(name),
  ]);
  const ask = (tooling: string): { readonly id: string; readonly prune: string[]; readonly error?: string } =>
    JSON.parse(
      execFileSync(oracle, [plane.kubeconfig, namespace, `${name}-applyset`, tooling], { encoding: 'utf8' }),
    ) as ReturnType<typeof ask>;
  const { id, prune, error } = ask('op-sdk');
  expect(error).toBeUndefined();
  expect(id).toBe(applySetId({ name: `${name}-applyset`, namespace }));
  expect(prune).toEqual(
    [
      `ClusterRole.rbac.authorization.k8s.io ${name}`,
      `ConfigMap ${namespace}/${name}`,
      `ConfigMap ${other}/${name}`,
      `Deployment.apps ${namespace}/${name}-controller-manager`,
    ].sort(),
  );
  expect(ask('kubectl').error).toContain('is managed by tooling "op-sdk" instead of "kubectl"');
});
