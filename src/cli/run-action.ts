import { createHash } from 'node:crypto';
import type { Recovery } from '../project/scaffold/index.ts';
import type { CliContext, CommandOutcome, LockedPlace } from './command.ts';
import type { Invocation } from './program.ts';

/** Loads the action of a command and runs it, under the lock of the project if required. */
export async function runAction(
  { entry, definition, options, args }: Invocation,
  outer: CliContext,
): Promise<CommandOutcome> {
  const context = { ...outer, request: requestOf(outer, options, args) };
  const command = await entry.loadWhole();
  const { locksProject, unlockedBy, isRepeatable = false } = definition;
  const place = unlockedBy !== undefined && options[unlockedBy] === true ? undefined : locksProject;
  const outcome =
    place === undefined
      ? await command.run(context, options, args)
      : await locked(context, (own) => command.run(own, options, args), { place, options, isRepeatable });
  await outcome.afterwards?.();
  return outcome;
}

/**
 * Runs a command under the lock of the project. The module for locks is loaded only here, since most commands that only read do not need
 * it.
 */
async function locked(
  context: CliContext,
  run: (own: CliContext) => Promise<CommandOutcome>,
  {
    place,
    options,
    isRepeatable,
  }: {
    readonly place: LockedPlace;
    readonly options: Invocation['options'];
    readonly isRepeatable: boolean;
  },
): Promise<CommandOutcome> {
  const { inProjectLock } = await import('./project-lock.ts');
  let repeated: Recovery | undefined;
  const onRepeated = (recovery: Recovery): void => void (repeated = recovery);
  return inProjectLock(context, { place, writes: !onlyReads(options), onRepeated }, async (own) =>
    repeated === undefined || isRepeatable ? run(own) : finished(own, repeated),
  );
}

/** Returns the outcome of a repeated command whose first run was interrupted after its last change, so that nothing is left to do. */
function finished({ report }: CliContext, { changes }: Recovery): CommandOutcome {
  for (const { action, path } of changes) report.info(`${action}  ${path}`);
  return { result: { dryRun: false, files: changes } };
}

/** Flags that affect only the output. Two calls that differ only in these flags are the same request. */
const talk = new Set(['output', 'quiet', 'verbose', 'color']);

function requestOf(
  { cwd, command }: CliContext,
  options: Invocation['options'],
  args: readonly string[],
): string {
  const flags = Object.entries(options).filter(([name]) => !talk.has(name));
  const sorted = flags.sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([cwd, command, sorted, args]))
    .digest('hex');
}

/**
 * Returns true if the command changes nothing. Such a command still waits for commands that write, so that it does not read partial
 * changes.
 */
function onlyReads(options: Invocation['options']): boolean {
  return ['dryRun', 'check', 'stdout'].some((flag) => options[flag] === true);
}
