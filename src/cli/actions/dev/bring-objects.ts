import { isOpSdkError, type OpSdkError } from '../../../base/errors/index.ts';
import { countText } from '../../../base/util/words.ts';
import { applyObjects, installableCrds, type AppliedObject } from '../../../cluster/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { KubeObject } from '../../../sdk/api/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import { poll } from '../../../sdk/net/index.ts';
import type { CliContext } from '../../command.ts';

/** Maximum time until an API server applies the new version of a CustomResourceDefinition, in milliseconds. */
const schemaTimeout = 5_000;

/**
 * Applies CustomResourceDefinitions, and reports the definitions that changed.
 * @throws OpSdkError with all findings, after all valid objects have been written
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
 * @param crdsChanged true if the API server may still validate against the former definitions for a moment. In that case a rejection counts
 * only if it persists
 * @returns the objects as the API server returned them
 * @throws OpSdkError with all findings, after all valid objects have been written
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
  if (changed > 0) report.step(`applied ${countText(changed, 'object')} of config/samples`);
  return applied.flatMap(({ live }) => live ?? []);
}
