import { OpSdkError, type Finding } from '../../../errors/index.ts';
import { runCommand, type CommandEnd } from '../../../util/exec.ts';
import type { CliContext } from '../../command.ts';

/** How arguments begin that name what a commit of git has. */
export const gitPrefix = 'git:';

/** A file as a commit has it. */
export interface CommittedFile {
  /** For places: `main:config/rbac/role.yaml`. */
  readonly name: string;
  readonly text: string;
}

/**
 * The YAML and JSON files that `git:REF[:PATH]` names, read from git's objects: nothing is checked out.
 *
 * @param name with the prefix; PATH is relative to the folder of the command
 * @param defaultPath where no PATH is named
 * @throws OpSdkError `diff/git-failed`, `cli/invalid-value`
 */
export async function readCommitted(
  context: CliContext,
  name: string,
  defaultPath: string,
): Promise<readonly CommittedFile[]> {
  const [, ref = '', path = defaultPath] = /^git:([^:]*)(?::(.*))?$/s.exec(name) ?? [];
  if (ref === '' || ref.startsWith('-') || path === '') {
    throw new OpSdkError({
      code: 'cli/invalid-value',
      message: `expected git:REF or git:REF:PATH, got '${name}'`,
      fix: [`write git:main, or git:main:${defaultPath}`],
    });
  }
  const git = async (...args: readonly string[]): Promise<string> => {
    const end = await runCommand('git', args, { cwd: context.cwd, env: context.env, signal: context.signal });
    if (end.exitCode !== 0) throw new OpSdkError(gitFailed(name, path, end));
    return end.stdout;
  };
  // `./`: from here, not from the folder that holds .git.
  const type = await git('cat-file', '-t', `${ref}:./${path}`);
  const files = type === 'tree' ? await filesBelow(git, ref, path) : [path];
  const read: CommittedFile[] = [];
  for (const file of files) {
    read.push({ name: `${ref}:${file}`, text: await git('cat-file', 'blob', `${ref}:./${file}`) });
  }
  return read;
}

async function filesBelow(
  git: (...args: readonly string[]) => Promise<string>,
  ref: string,
  folder: string,
): Promise<readonly string[]> {
  const names = await git('ls-tree', '-r', '-z', '--name-only', ref, '--', folder);
  return names
    .split('\u0000')
    .filter((file) => /\.(?:ya?ml|json)$/.test(file))
    .sort();
}

function gitFailed(name: string, path: string, { startError, output }: CommandEnd): Finding {
  const why = startError === undefined ? output.trim() : `git cannot be run: ${startError}`;
  return {
    code: 'diff/git-failed',
    message: `${name} cannot be read: ${why}`,
    fix: [
      startError === undefined
        ? `look whether the commit has it: git ls-tree -r --name-only REF -- ${path}`
        : 'install git, or write the file of the other version and name that',
    ],
  };
}
