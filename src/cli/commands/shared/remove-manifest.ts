import type { Command } from 'commander';
import type { Finding } from '../../../errors/index.ts';
import type { Loss, ObjectOutcome } from '../../../cluster/index.ts';
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
  booleanFlag(command, 'yes', 'delete what is not in the manifest without asking', false);
  booleanFlag(command, 'force', 'go on although custom resources have finalizers', false);
  return booleanFlag(command, 'dry-run', 'ask the API server for everything, delete nothing', false);
}

/** What the help of commands that delete says about custom resources. */
export const removeHelp = `
Custom resources go with their definitions, and what is in a namespace goes with it: on a terminal op-sdk asks
first, elsewhere it says which ones.
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
      onLoss: async (losses) => {
        for (const warning of await confirmLoss(context, options, losses)) log.warning(warning);
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

/** @returns the warnings about what is deleted without a question */
async function confirmLoss(
  { interactive, report, signal }: CliContext,
  { yes, dryRun }: RemoveManifestOptions,
  losses: readonly Loss[],
): Promise<readonly Finding[]> {
  const { lossFinding } = await import('../../../cluster/index.ts');
  const findings = losses.map(lossFinding);
  if (!interactive || yes === true || dryRun === true) return findings;
  for (const finding of findings) report.warn(finding);
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({
    message: 'Delete these objects for ever?',
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
