import { OpSdkError } from '../../../base/errors/index.ts';
import { runCommand } from '../../../base/util/exec.ts';
import { projectPackageManager, type LoadedProject } from '../../../project/project/index.ts';
import type { CliContext } from '../../command.ts';
import { dependentCommands } from '../manifests/dependent-commands.ts';

/** Commands that bring up to date what follows from the upgraded files, in their order. They run the new op-sdk. */
export async function followUps(project: LoadedProject, env: CliContext['env']): Promise<readonly string[]> {
  const manager = projectPackageManager(project.root, env);
  return [
    [manager.name, ...manager.relock].join(' '),
    ...['op-sdk generate manifests', ...(await dependentCommands(project))].map(
      (command) => `${manager.exec} ${command}`,
    ),
  ];
}

/**
 * Runs the commands one after the other.
 * @throws OpSdkError `upgrade/follow-up-failed` with the commands that are left
 */
export async function runFollowUps(context: CliContext, commands: readonly string[]): Promise<void> {
  const { cwd, env, signal, report } = context;
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
      fix: [`mend the cause, and run \`${commands.slice(index).join(' && ')}\``],
    });
  }
}
