import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bootControlPlane,
  eventually,
  notRun,
  runCase,
  type CaseResult,
  type KindCases,
} from '../../../testing/index.ts';
import { CustomResourceDefinition } from '../../../sdk/k8s/generated/apiextensions/v1.ts';
import type { CliContext } from '../../command.ts';
import { connect } from '../cluster/connect.ts';

/** Runs cases on a test control plane. Each kind is installed for its cases and removed after them. */
export async function runOnControlPlane(
  context: CliContext,
  kinds: readonly KindCases[],
): Promise<readonly CaseResult[]> {
  const { report, signal } = context;
  report.step('starting a test control plane');
  const controlPlane = await bootControlPlane({ progress: (line) => report.step(line), signal });
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-crd-test-'));
  const client = await connect(context, { kubeconfig: controlPlane.kubeconfig });
  const results: CaseResult[] = [];
  try {
    for (const { kind, cases } of kinds) {
      const file = join(folder, 'crd.json');
      await writeFile(file, JSON.stringify(kind.definition));
      await controlPlane.installCrds([file]);
      for (const test of cases) {
        signal.throwIfAborted();
        try {
          results.push(await runCase(client, kind, test));
        } catch (error) {
          results.push(notRun(test, error));
        }
      }
      const key = { name: kind.definition.metadata.name };
      await client.delete(CustomResourceDefinition, key);
      // Another version of the kind is installed under the same name.
      await eventually(async () => {
        if ((await client.find(CustomResourceDefinition, key)) !== undefined)
          throw new Error(`CustomResourceDefinition ${key.name} is still being deleted`);
      });
    }
  } finally {
    await client.close();
    await controlPlane.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return results;
}
