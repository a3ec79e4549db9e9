import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FindingList, OpSdkError, type Finding, type Where } from '../../../base/errors/index.ts';
import { errnoText } from '../../../base/util/fs.ts';
import type { JsonPath } from '../../../base/util/read-json.ts';
import { YamlBudget, parseKubernetesYaml, readYamlFile } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { placeInCheckout } from '../../ui/github.ts';
import { projectWord } from '../../flags/words.ts';
import { isPartialClone, readWithGit } from '../../../base/util/git.ts';
import type { SourceMemory } from '../../../compiler/schema/index.ts';
import { generateAndRender } from '../manifests/made-manifests.ts';

/** A document of the old or the new side of a comparison. */
interface SideDocument {
  readonly value: unknown;
  readonly locate: (path: JsonPath) => Where;
}

interface ReadSideOptions {
  /** Default path for an argument `git:REF` without a path; it is read from the commit. */
  readonly gitPath: string;
  /** Returns the documents that are generated from the sources of the project. @throws OpSdkError */
  readonly project: () => readonly SideDocument[] | Promise<readonly SideDocument[]>;
}

/**
 * Reads the documents that an argument names: a file, a folder (all YAML and JSON files below it), `git:REF[:PATH]`, `-` for standard
 * input, or `project`.
 * @param name the argument; a path is relative to the working directory of the command
 * @returns the documents that could be read, and findings for everything that could not
 */
export async function readDocuments(
  context: CliContext,
  name: string,
  { gitPath, project }: ReadSideOptions,
): Promise<{ readonly documents: readonly SideDocument[]; readonly findings: readonly Finding[] }> {
  const documents: SideDocument[] = [];
  const findings = new FindingList();
  const collect = async (
    read: () => readonly SideDocument[] | Promise<readonly SideDocument[]>,
  ): Promise<void> => {
    documents.push(...((await findings.gather(read)) ?? []));
  };
  const budget = new YamlBudget();
  const parse = (text: string, file: string): readonly SideDocument[] => {
    if (text.startsWith('version https://git-lfs.github.com/')) throw new OpSdkError(onlyPointer(file));
    return parseKubernetesYaml(text, file, { budget }).map((document) => ({
      value: document.value,
      locate: (path) => document.locate(path),
    }));
  };
  if (name === '-') await collect(async () => parse(await context.readStdin(), '-'));
  else if (name === projectWord) await collect(project);
  else if (name.startsWith(gitPrefix)) {
    const files = (await findings.gather(() => readCommitted(context, name, gitPath))) ?? [];
    for (const file of files) await collect(() => parse(file.text, file.name));
  } else {
    const files = await filesOf(context.cwd, name);
    findings.add(...files.findings);
    for (const file of files.names)
      await collect(async () =>
        parse(await readYamlFile(resolve(context.cwd, file), file, budget.left('bytes')), file),
      );
  }
  return { documents, findings: findings.all };
}

/**
 * Creates the finding for a file that is only a Git LFS pointer. YAML parses a pointer as a plain string, so without this finding the file
 * would be skipped silently.
 */
function onlyPointer(file: string): Finding {
  return {
    code: 'diff/git-failed',
    message: `${file}: expected the content of the file, got a Git LFS pointer to it`,
    where: { file },
    fix: [
      'in a checkout: git lfs pull',
      'for a file in a commit: write its content to another file with git lfs smudge, and name that file',
    ],
  };
}

async function filesOf(
  cwd: string,
  name: string,
): Promise<{ readonly names: readonly string[]; readonly findings: readonly Finding[] }> {
  try {
    if (!(await stat(resolve(cwd, name))).isDirectory()) return { names: [name], findings: [] };
    const entries = await readdir(resolve(cwd, name), { withFileTypes: true });
    const inner = await Promise.all(
      entries.map(async (entry) => {
        const path = join(name, entry.name);
        if (entry.isDirectory()) return filesOf(cwd, path);
        return { names: /\.(?:ya?ml|json)$/.test(entry.name) ? [path] : [], findings: [] };
      }),
    );
    return {
      names: inner.flatMap((item) => item.names).sort(),
      findings: inner.flatMap((item) => item.findings),
    };
  } catch (error) {
    const finding: Finding = {
      code: 'io/not-found',
      message: `${name} cannot be read: ${errnoText(error)}`,
      where: { file: name },
      fix: [`name a file, a folder, git:REF:PATH, - for standard input, or ${projectWord}`],
    };
    return { names: [], findings: [finding] };
  }
}

/** Prefix of arguments that name files in a git commit, such as `git:main`. */
const gitPrefix = 'git:';

/**
 * Returns the place in the checkout of something that one of the sides of a comparison has. Files that were read from a commit are there
 * without the REF.
 * @param names the arguments of the command
 */
export function placeOfSide(
  where: Where | undefined,
  names: readonly string[],
  context: Pick<CliContext, 'cwd' | 'env'>,
): Where | undefined {
  if (where === undefined || !('file' in where)) return where;
  const prefixes = names
    .filter((name) => name.startsWith(gitPrefix))
    .map((name) => `${name.slice(gitPrefix.length).split(':', 1)[0] ?? ''}:`);
  const prefix = prefixes.find((each) => where.file.startsWith(each)) ?? '';
  return placeInCheckout({ ...where, file: where.file.slice(prefix.length) }, context);
}

/** A file, with its content in a commit. */
interface CommittedFile {
  /** Name of the file as shown in findings, such as `main:config/rbac/role.yaml`. */
  readonly name: string;
  readonly text: string;
}

/**
 * Reads the YAML and JSON files that `git:REF[:PATH]` names. Reads them directly from git's objects, without a checkout.
 * @param name the argument with the prefix; PATH is relative to the working directory of the command
 * @param defaultPath path that is used if the argument has no PATH
 * @throws OpSdkError `diff/git-failed`, also for symbolic links and submodules, because their content is stored elsewhere;
 * `cli/invalid-value`
 */
async function readCommitted(
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
  // The REF is shown in suggested commands only if it has no special characters.
  const isPlain = /^[\w./-]+$/.test(ref);
  await git(['rev-parse', '--git-dir'], () => ({
    message: `${name} cannot be read: ${context.cwd} is not in a git repository`,
    fix: ['run op-sdk in a checkout', 'name a file or a folder'],
  }));
  // From this line on, the resolved hash replaces the REF, because a branch may move to another commit in the meantime.
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
      `list the files: git ls-tree -r --name-only ${isPlain ? ref : 'REF'}`,
    ],
  });
  const tree = commit.trim();
  // Because of `./`, git resolves the path from the working directory, and not from the folder that contains .git.
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
/** Runs git and returns its standard output. @throws OpSdkError `diff/git-failed`, with the message that `problem` returns */
type Git = (args: readonly string[], problem?: () => Said) => Promise<string>;

function gitIn({ cwd, env, signal }: CliContext, name: string): Git {
  return async (args, problem) => {
    const { exitCode, stdout, output, startError } = await readWithGit(args, { cwd, env, signal });
    if (exitCode === 0) return stdout;
    if (isPartialClone({ output }))
      throw new OpSdkError({
        code: 'diff/git-failed',
        message: `${name} cannot be read: an object is missing in this partial clone; op-sdk does not fetch it, as the configuration of a repository can name any command for that`,
        fix: [
          'fetch the missing objects, if you trust the repository: git fetch --refetch --no-filter',
          'in GitHub Actions, give actions/checkout no `filter`',
        ],
      });
    const said =
      startError === undefined
        ? (problem?.() ?? {
            message: `${name} cannot be read: ${output.trim()}`,
            fix: ['correct the cause that the message of git names'],
          })
        : {
            message: `${name} cannot be read: git cannot be run: ${startError}`,
            fix: ['install git, or write the other version to a file and name that file'],
          };
    throw new OpSdkError({ code: 'diff/git-failed', ...said });
  };
}

/** File modes by which git marks symbolic links and submodules. Source: git's documentation, `git fast-import`, "filemodify". */
const modes = { link: '120000', submodule: '160000' } as const;

interface Entry {
  readonly mode: string;
  /** Path of the file, relative to the working directory of the command. */
  readonly file: string;
}

const isRead = (file: string): boolean => /\.(?:ya?ml|json)$/.test(file);

/**
 * Returns true for a symbolic link that may lead to files of the comparison. Such a link has the name of a YAML or JSON file, or a name
 * without an extension, which is typical of folders.
 */
const isLinkToFiles = (mode: string, file: string): boolean =>
  mode === modes.link && (isRead(file) || !/[^/]\.[^./]+$/.test(file));

/** Returns the entry of the file at a path. If the path is a folder, returns the entries of all files below it. */
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
    message: `${ref}:${file} is a ${isLink ? 'symbolic link' : 'submodule'}, which op-sdk does not follow: its content would be missing from the comparison`,
    where: { file: `${ref}:${file}` },
    fix: [
      isLink
        ? 'name the file or the folder that it leads to, as git:REF:PATH'
        : 'compare in the repository of the submodule, or name a path without it, as git:REF:PATH',
    ],
  };
}

/**
 * Returns the roles that `op-sdk generate manifests` would write now, as one document for each YAML document of the files.
 * @throws OpSdkError with all findings in the sources
 */
export async function generatedRoles(
  { cwd }: Pick<CliContext, 'cwd'>,
  options: { readonly memory?: SourceMemory } = {},
): Promise<{ readonly documents: readonly SideDocument[]; readonly warnings: readonly Finding[] }> {
  const { files, warnings } = await generateAndRender({ projectDir: cwd, only: 'rbac', ...options });
  const roles = files.filter(({ template }) => template === 'role');
  return { documents: roles.flatMap(({ content, path }) => parseKubernetesYaml(content, path)), warnings };
}

/** Returns the finding for a comparison in which both sides are `-`, although standard input can be read only once. */
export function stdinTwice(): Finding {
  return {
    code: 'diff/stdin-twice',
    message: 'expected at most one of OLD and NEW to be standard input (-), got both',
    fix: ['write one of them to a file, or use process substitution: <(…)'],
  };
}
