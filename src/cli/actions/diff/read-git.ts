import { OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { isPartialClone, readWithGit } from '../../../base/util/git.ts';
import type { CliContext } from '../../command.ts';

/** Prefix of arguments that name what a commit of git has. */
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
 * @throws OpSdkError `diff/git-failed`, also for symbolic links and submodules, whose content is elsewhere; `cli/invalid-value`
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
  const git = gitIn(context, name);
  // What else is in a name must not get into a command that somebody copies.
  const isPlain = /^[\w./-]+$/.test(ref);
  await git(['rev-parse', '--git-dir'], () => ({
    message: `${name} cannot be read: ${context.cwd} is not in a git repository`,
    fix: ['run op-sdk in a checkout', 'name a file or a folder'],
  }));
  // From here on the commit by its hash: a branch may move meanwhile.
  const commit = await git(['rev-parse', '--verify', '--quiet', `${ref}^{tree}`], () => ({
    message: `${name} cannot be read: unknown commit, branch or tag '${ref}'`,
    fix: [
      `fetch it: git fetch origin ${isPlain ? ref.replace(/^origin\//, '') : 'BRANCH'}`,
      'in GitHub Actions, give actions/checkout `fetch-depth: 0`: it fetches one commit only',
    ],
  }));
  const missing = (): Said => ({
    message: `${name} cannot be read: ${ref} has no file and no folder '${path}'`,
    fix: [
      'PATH is relative to the folder in which op-sdk runs',
      `look what there is: git ls-tree -r --name-only ${isPlain ? ref : 'REF'}`,
    ],
  });
  const tree = commit.trim();
  // `./`: from here, not from the folder that holds .git.
  const type = (await git(['cat-file', '-t', `${tree}:./${path}`], missing)).trim();
  if (type !== 'tree' && type !== 'blob') throw new OpSdkError({ code: 'diff/git-failed', ...missing() });
  const entries = await entriesOf(git, tree, path);
  const elsewhere = entries.filter(({ mode, file }) => mode === modes.submodule || isLinkToFiles(mode, file));
  if (elsewhere.length > 0) throw new OpSdkError(elsewhere.map((entry) => isElsewhere(entry, ref)));
  const files =
    type === 'tree'
      ? entries
          .map(({ file }) => file)
          .filter(isRead)
          .sort()
      : [path];
  const read: CommittedFile[] = [];
  for (const file of files)
    read.push({ name: `${ref}:${file}`, text: await git(['cat-file', 'blob', `${tree}:./${file}`]) });
  return read;
}

type Said = Pick<Finding, 'message'> & { readonly fix: readonly string[] };
/** Gives the standard output. @throws OpSdkError `diff/git-failed`, as `problem` says it */
type Git = (args: readonly string[], problem?: () => Said) => Promise<string>;

function gitIn({ cwd, env, signal }: CliContext, name: string): Git {
  return async (args, problem) => {
    const { exitCode, stdout, output, startError } = await readWithGit(args, { cwd, env, signal });
    if (exitCode === 0) return stdout;
    if (isPartialClone({ output }))
      throw new OpSdkError({
        code: 'diff/git-failed',
        message: `${name} cannot be read: the clone is partial, and an object is missing; op-sdk fetches none, because a repository's configuration names the commands that do`,
        fix: [
          'fetch what is missing, if you trust the repository: git fetch --refetch --no-filter',
          'in GitHub Actions, give actions/checkout no `filter`',
        ],
      });
    const said =
      startError === undefined
        ? (problem?.() ?? {
            message: `${name} cannot be read: ${output.trim()}`,
            fix: ['look what git says'],
          })
        : {
            message: `${name} cannot be read: git cannot be run: ${startError}`,
            fix: ['install git, or write the file of the other version and name that'],
          };
    throw new OpSdkError({ code: 'diff/git-failed', ...said });
  };
}

/** Source: git's documentation, `git fast-import`, "filemodify". */
const modes = { link: '120000', submodule: '160000' } as const;

interface Entry {
  readonly mode: string;
  /** Relative to the folder of the command. */
  readonly file: string;
}

const isRead = (file: string): boolean => /\.(?:ya?ml|json)$/.test(file);

/** True for links that can lead to what is compared: to files that are read, or to folders, which rarely have an extension. */
const isLinkToFiles = (mode: string, file: string): boolean =>
  mode === modes.link && (isRead(file) || !/[^/]\.[^./]+$/.test(file));

/** A file itself, or all that is below a folder. */
async function entriesOf(git: Git, tree: string, path: string): Promise<readonly Entry[]> {
  const lines = await git(['ls-tree', '-r', '-z', tree, '--', path]);
  return lines
    .split('\u0000')
    .filter((line) => line !== '')
    .map((line) => ({ mode: line.slice(0, 6), file: line.slice(line.indexOf('\t') + 1) }));
}

function isElsewhere({ mode, file }: Entry, ref: string): Finding {
  const isLink = mode === modes.link;
  return {
    code: 'diff/git-failed',
    message: `${ref}:${file} is a ${isLink ? 'symbolic link' : 'submodule'}: what it stands for is not read, and would be missing`,
    where: { file: `${ref}:${file}` },
    fix: [
      isLink
        ? 'name the file or the folder that it leads to, as git:REF:PATH'
        : 'compare in the repository of the submodule, or name a path without it, as git:REF:PATH',
    ],
  };
}
