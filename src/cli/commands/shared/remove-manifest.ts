import type { Command } from 'commander';
import type { Finding } from '../../../errors/index.ts';
import type { DeletionImpact, ObjectOutcome } from '../../../cluster/index.ts';
import type { PlacedObject } from '../../../yaml/manifest-object.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import { booleanFlag } from '../../flags.ts';
import { Interrupted } from '../../interrupted.ts';
import { connect, type ClusterOptions } from './cluster-flags.ts';
import { durationFlag } from './duration-flag.ts';
import { objectLog } from './object-lines.ts';

export interface RemoveManifestOptions extends ClusterOptions {
  readonly dryRun?: boolean;
  readonly output?: string;
  readonly wait?: boolean;
  readonly timeout?: string;
  readonly ignoreNotFound?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
}

/** Milliseconds. */
const defaultTimeout = 120_000;

/** Declares the flags of commands that delete. */
export function removeFlags(command: Command): Command {
  booleanFlag(command, 'wait', 'wait until everything is gone', true);
  command.option('--timeout <duration>', 'how long to wait (default: 2m)');
  booleanFlag(command, 'ignore-not-found', 'what is not there is no error', true);
  booleanFlag(command, 'yes', 'also delete, unasked, what goes with definitions and namespaces', false);
  booleanFlag(command, 'force', 'go on although custom resources have finalizers', false);
  return booleanFlag(command, 'dry-run', 'ask the API server for everything, delete nothing', false);
}

/** What the help of commands that delete says about custom resources. */
export const removeHelp = `
Custom resources go with their definitions, and what is in a namespace goes with it. If there are any that the
manifest does not name, op-sdk lists them and asks on a terminal; elsewhere nothing is deleted without --yes.
It refuses to start while custom resources have finalizers, which only the running operator removes.`;

/** Deletes objects from the cluster of the flags and prints a line for each. */
export async function removeManifest(
  context: CliContext,
  options: RemoveManifestOptions,
  objects: readonly PlacedObject[],
): Promise<CommandOutcome> {
  const timeout = durationFlag('--timeout', options.timeout, defaultTimeout);
  const { removeObjects } = await import('../../../cluster/index.ts');
  const dryRun = options.dryRun === true;
  const log = objectLog(context, { dryRun, json: options.output === 'json' });
  const result = { dryRun, objects: log.outcomes };
  const client = await connect(context, options);
  try {
    await removeObjects({
      client,
      objects,
      dryRun,
      force: options.force === true,
      timeout: options.wait === false ? undefined : timeout,
      signal: context.signal,
      onImpact: async (impacts) => {
        for (const warning of await confirmDeletion(context, options, impacts)) log.warning(warning);
      },
      onOutcome: (outcome, title) => log.outcome(outcome, title),
    });
    const errors = options.ignoreNotFound === false ? notFound(log.outcomes) : [];
    return { result, warnings: log.warnings, errors };
  } catch (error) {
    return log.failed(error, result);
  } finally {
    await client.close();
  }
}

/**
 * @returns the warnings about what is deleted without a question
 * @throws OpSdkError `cluster/objects-lost` if nobody can be asked and nobody said yes
 */
async function confirmDeletion(
  { interactive, report, signal }: CliContext,
  { yes, dryRun }: RemoveManifestOptions,
  impacts: readonly DeletionImpact[],
): Promise<readonly Finding[]> {
  const { impactFinding } = await import('../../../cluster/index.ts');
  const warnings = impacts.map((impact) => impactFinding(impact));
  if (yes === true || dryRun === true) return warnings;
  if (!interactive) {
    const { OpSdkError } = await import('../../../errors/index.ts');
    throw new OpSdkError(impacts.map((impact) => impactFinding(impact, { refused: true })));
  }
  for (const warning of warnings) report.warn(warning);
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    message: 'Delete these objects? This cannot be undone.',
    initialValue: false,
    output: process.stderr,
    signal,
  });
  if (isCancel(answer) || !answer) throw new Interrupted();
  return [];
}

function notFound(outcomes: readonly ObjectOutcome[]): readonly Finding[] {
  return outcomes
    .filter(({ action }) => action === 'not-found')
    .map(({ kind, name, namespace }) => ({
      code: 'kube/not-found',
      message: `${kind} ${namespace === undefined ? name : `${namespace}/${name}`} is not on the cluster`,
      fix: ['pass --ignore-not-found if that is no error'],
    }));
}
