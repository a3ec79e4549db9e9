import type { KubeObject } from '../../../sdk/api/index.ts';
import { applyObjects, installableCrds, type AppliedObject } from '../../../cluster/index.ts';
import { isOpSdkError, type OpSdkError } from '../../../base/errors/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import { poll } from '../../../sdk/net/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';

/** Milliseconds until an API server goes by the new version of a CustomResourceDefinition. */
const schemaTimeout = 5_000;

/**
 * Applies CustomResourceDefinitions, and says what was new.
 * @throws OpSdkError with all findings; what could be written is written
 */
export async function bringCrds(
  { report, signal }: CliContext,
  client: KubeClient,
  objects: readonly PlacedObject[],
): Promise<void> {
  if (objects.length === 0) {
    report.info('there are no CustomResourceDefinitions to install: `op-sdk create api` adds a kind');
    return;
  }
  const installable = await installableCrds(client, objects, signal);
  for (const warning of installable.warnings) report.warn(warning);
  await applyObjects({
    client,
    objects: installable.objects,
    signal,
    onOutcome: ({ action }, { title }) => {
      if (action !== 'unchanged') report.step(`${title} ${action}`);
    },
    onWarning: (warning) => report.warn(warning),
  });
}

/**
 * Applies samples.
 * @param crdsChanged for a moment the API server may go by the former definitions: an objection counts only if it stays
 * @returns the objects as the API server answered
 * @throws OpSdkError with all findings; what could be written is written
 */
export async function bringSamples(
  { report, signal }: CliContext,
  client: KubeClient,
  objects: readonly PlacedObject[],
  crdsChanged: boolean,
): Promise<readonly KubeObject[]> {
  if (objects.length === 0) {
    report.info('config/samples has no objects: `op-sdk create api` adds one');
    return [];
  }
  let changed = 0;
  let applied: readonly AppliedObject[] = [];
  let failure: OpSdkError | undefined;
  const attempt = async (): Promise<true | undefined> => {
    failure = undefined;
    try {
      applied = await applyObjects({
        client,
        objects,
        signal,
        onOutcome: ({ action }) => {
          if (action !== 'unchanged') changed += 1;
        },
        onWarning: (warning) => report.warn(warning),
      });
      return true;
    } catch (error) {
      if (!isOpSdkError(error) || !crdsChanged) throw error;
      failure = error;
      return undefined;
    }
  };
  await poll(attempt, { timeout: schemaTimeout, interval: 250, signal });
  if (failure !== undefined) throw failure;
  if (changed > 0)
    report.step(`applied ${changed} ${changed === 1 ? 'object' : 'objects'} of config/samples`);
  return applied.flatMap(({ live }) => live ?? []);
}
