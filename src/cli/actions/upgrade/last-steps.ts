import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { runCommand } from '../../../base/util/exec.ts';
import {
  layout,
  projectPackageManager,
  readFileOf,
  type LoadedProject,
} from '../../../project/project/index.ts';
import type { FilePlan } from '../../../project/scaffold/index.ts';
import {
  conflictsLeft,
  forgetUnfinishedUpgrade,
  hasScript,
  recordUnfinishedUpgrade,
  type UnfinishedUpgrade,
} from '../../../project/upgrade/index.ts';
import type { CliContext, CommandOutcome } from '../../command.ts';
import { inProjectLock } from '../../project-lock.ts';
import { carryOut, type PlanResult } from '../files/apply-plan.ts';
import { dependentCommands } from '../manifests/dependent-commands.ts';

/** Writes the files of an upgrade, which is recorded as unfinished until its last steps are done. */
export async function writeRecorded(
  context: CliContext,
  plan: FilePlan,
  { version, conflicts }: { readonly version: string; readonly conflicts: readonly Finding[] },
): Promise<PlanResult> {
  const project = plan.changes.find(({ path }) => path === layout.projectFile);
  const before = project !== undefined && 'before' in project ? project.before : '';
  const content = project !== undefined && 'content' in project ? String(project.content) : '';
  const upgrade = { version, conflicts: pathsOf(conflicts) };
  const takeBack = await recordUnfinishedUpgrade(plan.root, upgrade, { before, content });
  try {
    return await carryOut(context, plan, { dryRun: false });
  } catch (error) {
    await takeBack();
    throw error;
  }
}

/**
 * Refuses to upgrade further while files have conflict markers of the last upgrade.
 * @throws OpSdkError `upgrade/conflict` for each of the files
 */
export async function refuseConflictsLeft(root: string, left: UnfinishedUpgrade): Promise<void> {
  const conflicts = await conflictsLeft(left.conflicts, (path) => readFileOf(root, path));
  if (conflicts.length === 0) return;
  throw new OpSdkError(
    conflicts.map((each) => ({
      ...each,
      message: `${each.message}: the upgrade to op-sdk ${left.version} is to be finished first`,
      fix: [...(each.fix ?? []), 'then run `op-sdk upgrade` again'],
    })),
  );
}

/** Does the last steps of an upgrade that was interrupted after its files were written. */
export async function goOn(
  context: CliContext,
  project: LoadedProject,
  options: {
    readonly left: UnfinishedUpgrade;
    readonly check: boolean;
    readonly dryRun: boolean;
    readonly skipInstall: boolean;
  },
): Promise<CommandOutcome> {
  const { left, check, dryRun, skipInstall } = options;
  const { version } = left;
  if (check)
    throw new OpSdkError({
      code: 'upgrade/unfinished',
      message: `the upgrade to op-sdk ${version} was interrupted: its files are written, its last steps may be missing`,
      where: { file: layout.projectFile },
      fix: ['run `op-sdk upgrade` to do the remaining steps'],
    });
  context.report.info(`continuing the upgrade to op-sdk ${version}, whose files are written`);
  const conflicts = await conflictsLeft(left.conflicts, (path) => readFileOf(project.root, path));
  return {
    result: { from: version, to: version, dryRun, files: [] },
    ...(dryRun
      ? { errors: conflicts, next: await followUps(project, context.env) }
      : await lastSteps(context, project, { conflicts, skipInstall })),
  };
}

/** Returns the steps and notes that remain after the files of an upgrade are written. */
export async function lastSteps(
  context: CliContext,
  project: LoadedProject,
  { conflicts, skipInstall }: { readonly conflicts: readonly Finding[]; readonly skipInstall: boolean },
): Promise<Pick<CommandOutcome, 'errors' | 'next' | 'afterwards'>> {
  const steps = await followUps(project, context.env);
  // Sources with conflict markers cannot be parsed, so nothing is generated from them.
  const runs = skipInstall ? [] : conflicts.length > 0 ? steps.slice(0, 1) : steps;
  return {
    errors: conflicts,
    next: steps.slice(runs.length),
    afterwards: async () => {
      await runFollowUps(context, runs);
      // The upgrade is unfinished until the conflict markers are removed.
      if (conflicts.length > 0) return;
      // The lock of the command has been released.
      const { lock: _released, ...unlocked } = context;
      await inProjectLock(unlocked, { writes: true, folder: project.root }, () =>
        forgetUnfinishedUpgrade(project.root),
      );
    },
  };
}

function pathsOf(findings: readonly Finding[]): readonly string[] {
  return findings.flatMap(({ where }) => (where !== undefined && 'file' in where ? [where.file] : []));
}

/**
 * Commands of the new op-sdk that update generated files after an upgrade, in the order in which they run. The last one finds errors that a
 * merge does not show as a conflict, such as a name that one side uses and the other side no longer imports.
 */
async function followUps(project: LoadedProject, env: CliContext['env']): Promise<readonly string[]> {
  const manager = projectPackageManager(project.root, env);
  const manifest = (await readFileOf(project.root, layout.packageJson)) ?? '{}';
  return [
    [manager.name, ...manager.relock].join(' '),
    ...['op-sdk generate manifests', ...(await dependentCommands(project))].map(
      (command) => `${manager.exec} ${command}`,
    ),
    ...(hasScript(manifest, 'typecheck') ? [`${manager.name} run typecheck`] : []),
  ];
}

/**
 * Runs commands one after the other.
 * @throws OpSdkError `upgrade/follow-up-failed` with the commands that have not run
 */
export async function runFollowUps(context: CliContext, commands: readonly string[]): Promise<void> {
  const { cwd, signal, report } = context;
  // `npm exec --package=X` sets this variable, with which npx would run X instead of the project's op-sdk.
  const { npm_config_package: _package, ...env } = context.env;
  for (const [index, command] of commands.entries()) {
    report.step(command);
    const [program = '', ...args] = command.split(' ');
    const end = await runCommand(program, args, {
      cwd,
      env,
      signal,
      onLine: (line) => report.info(line),
    });
    if (end.exitCode === 0) continue;
    throw new OpSdkError({
      code: 'upgrade/follow-up-failed',
      message: `\`${command}\` failed${end.startError === undefined ? '' : `: ${end.startError}`}; the files of the project are upgraded`,
      where: { command, ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }) },
      fix: [
        `correct the cause, and run \`op-sdk upgrade\` again: it continues with \`${commands.slice(index).join(' && ')}\``,
      ],
    });
  }
}
