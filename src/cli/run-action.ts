import type { Action, CliContext, CommandModule, CommandOutcome, LockedPlace } from './command.ts';

/** Loads the action of a command and runs it, in the lock of the project if it asks for it. */
export async function runAction(
  module: CommandModule,
  context: CliContext,
  options: Record<string, unknown>,
  args: readonly string[],
): Promise<CommandOutcome> {
  const { locksProject } = module;
  const { run } = await module.run();
  const place = typeof locksProject === 'function' ? locksProject(options) : locksProject;
  const outcome =
    place === undefined
      ? await run(context, options, args)
      : await locked(place, run, context, options, args);
  await outcome.afterwards?.();
  return outcome;
}

/** Most commands that only read start without the room that locks. */
async function locked(
  place: LockedPlace,
  run: Action,
  context: CliContext,
  options: Record<string, unknown>,
  args: readonly string[],
): Promise<CommandOutcome> {
  const { inProjectLock } = await import('./project-lock.ts');
  return inProjectLock(context, { place, writes: !onlyReads(options) }, (own) => run(own, options, args));
}

/** Commands that change nothing wait for those that do, so that they do not read half of it. */
function onlyReads(options: Record<string, unknown>): boolean {
  return ['dryRun', 'check', 'stdout'].some((flag) => options[flag] === true);
}
