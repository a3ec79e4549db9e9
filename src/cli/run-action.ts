import { createHash } from 'node:crypto';
import type { Recovery } from '../project/scaffold/index.ts';
import type { CliContext, CommandOutcome, LockedPlace } from './command.ts';
import type { Invocation } from './program.ts';

/** Loads all of a command and runs it, in the lock of the project if it asks for it. */
export async function runAction(
  { entry, definition, options, args }: Invocation,
  outer: CliContext,
): Promise<CommandOutcome> {
  const context = { ...outer, request: requestOf(outer, options, args) };
  const command = await entry.loadWhole();
  const { locksProject, unlockedBy } = definition;
  const place = unlockedBy !== undefined && options[unlockedBy] === true ? undefined : locksProject;
  const outcome =
    place === undefined
      ? await command.run(context, options, args)
      : await locked(place, context, (own) => command.run(own, options, args), options);
  await outcome.afterwards?.();
  return outcome;
}

/** Most commands that only read start without the room that locks. */
async function locked(
  place: LockedPlace,
  context: CliContext,
  run: (own: CliContext) => Promise<CommandOutcome>,
  options: Invocation['options'],
): Promise<CommandOutcome> {
  const { inProjectLock } = await import('./project-lock.ts');
  let repeated: Recovery | undefined;
  const onRepeated = (recovery: Recovery): void => void (repeated = recovery);
  return inProjectLock(context, { place, writes: !onlyReads(options), onRepeated }, async (own) =>
    repeated === undefined ? run(own) : finished(own, repeated),
  );
}

/** The outcome of a command that was interrupted after its last change, and is repeated: nothing is left to do. */
function finished({ report }: CliContext, { changes }: Recovery): CommandOutcome {
  for (const { action, path } of changes) report.info(`${action}  ${path}`);
  return { result: { dryRun: false, files: changes } };
}

/** Flags that change how a command talks do not change what it does. */
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

/** Commands that change nothing wait for those that do, so that they do not read half of it. */
function onlyReads(options: Invocation['options']): boolean {
  return ['dryRun', 'check', 'stdout'].some((flag) => options[flag] === true);
}
