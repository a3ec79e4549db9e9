import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { OpSdkError, type Finding } from '../../base/errors/index.ts';
import { runCommand } from '../../base/util/exec.ts';
import { pathExists, statsAt } from '../../base/util/fs.ts';
import { leadsInside } from '../../base/util/folders.ts';
import { jsonListOf, jsonMapOf } from '../../base/util/json-map.ts';
import { filesWithParts, layout, readFileOf, type RecordedCommand } from '../project/index.ts';
import { readHeader } from '../scaffold/index.ts';
import { takeOverrides } from './overrides.ts';
import type { OpsdkPackage } from './packages.ts';

/** Input for {@link replay}. */
export interface ReplayOptions {
  /** Commands in the order in which they were run; the first one is `init`. */
  readonly runs: readonly RecordedCommand[];
  /** Absolute path of the project, whose template overrides and definitions of external kinds are used. */
  readonly project: string;
  /** Absolute path of a folder that does not exist yet. */
  readonly folder: string;
  /** Dependency on opsdk in the package.json of the project. */
  readonly spec: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Result of scaffolding a project with one version of op-sdk. */
export interface Replay {
  /** Texts of the scaffolded files, by path. Without PROJECT, and without files that are generated from sources. */
  readonly files: ReadonlyMap<string, string>;
  /** Text of PROJECT. */
  readonly projectText: string;
  /** Reasons of failed runs, by the positions of the runs. */
  readonly failed: ReadonlyMap<number, string>;
  /** Paths of the files that runs have created, by the positions of the runs. */
  readonly created: ReadonlyMap<number, readonly string[]>;
}

/**
 * Scaffolds a project again: runs the op-sdk of a package as a process, without a network and without installing dependencies. A run that
 * fails is recorded in the result, and the later runs are still tried.
 * @throws OpSdkError `upgrade/cannot-repeat-init`
 */
export async function replay(pkg: OpsdkPackage, options: ReplayOptions): Promise<Replay> {
  const { runs, folder, project } = options;
  await mkdir(folder, { recursive: true });
  const failed = new Map<number, string>();
  const made = new Map<string, number>();
  const lastHeader = runs.findLastIndex(setsHeader);
  for (const [index, run] of runs.entries()) {
    const reason = await repeat(pkg, run, options);
    if (reason === undefined) {
      if (index === 0) await takeOverrides(pkg, project, folder);
    } else if (index === 0) {
      throw new OpSdkError({
        code: 'upgrade/cannot-repeat-init',
        message: `op-sdk ${pkg.version} cannot scaffold this project again: ${reason}`,
        where: { file: layout.projectFile },
        fix: [`correct the first of the commands in ${layout.projectFile}`],
      });
    } else failed.set(index, reason);
    if (index === lastHeader) await takeHeader(project, folder);
    for (const path of await pathsIn(folder)) if (!made.has(path)) made.set(path, index);
  }
  const projectText = await readFile(join(folder, layout.projectFile), 'utf8');
  const generated = await generatedFiles(pkg, projectText, options);
  const files = new Map<string, string>();
  for (const path of await pathsIn(folder)) {
    if (path === layout.projectFile || path.startsWith('.op-sdk/') || generated(path)) continue;
    files.set(path, await readFile(join(folder, path), 'utf8'));
  }
  const created = new Map<number, readonly string[]>();
  for (const path of files.keys()) {
    const index = made.get(path) ?? 0;
    created.set(index, [...(created.get(index) ?? []), path]);
  }
  return { files, projectText, failed, created };
}

/** A run that an upgrade leaves out, with the reason. */
export interface LeftOutRun {
  readonly run: RecordedCommand;
  readonly reason: string;
  /** Version of op-sdk that could not repeat the run. */
  readonly version: string;
  /** Known paths of the files that the run has scaffolded. */
  readonly paths: readonly string[];
}

/** Returns the finding for a run that one of the versions could not repeat. */
export function notRepeated({ run, reason, version, paths }: LeftOutRun): Finding {
  const what = paths.length === 0 ? 'what it scaffolded' : paths.join(', ');
  return {
    code: 'upgrade/not-repeated',
    message: `\`${shownRun(run)}\` could not be repeated with op-sdk ${version}, so ${what} stays as it is: ${reason}`,
    where: { file: layout.projectFile },
    fix: [
      'compare its files with those of a new project',
      'run the command again with the new version and --force',
    ],
  };
}

/** Returns the finding for a run that an earlier upgrade has left out. */
export function stillLeftOut(run: RecordedCommand): Finding {
  return {
    code: 'upgrade/not-repeated',
    message: `\`${shownRun(run)}\` was left out of an earlier upgrade, so what it scaffolded stays as op-sdk ${run.cliVersion ?? ''} wrote it`,
    where: { file: layout.projectFile },
    fix: ['run the command again with the new version and --force; later upgrades then include it'],
  };
}

function shownRun(run: RecordedCommand): string {
  return ['op-sdk', ...wordsOf(run)].join(' ');
}

function setsHeader({ command, flags }: RecordedCommand): boolean {
  return command === 'init' || (command === 'edit' && ('license' in flags || 'owner' in flags));
}

/** Copies a header of source files that somebody has written, so that the files of later runs begin with it in the copy, too. */
async function takeHeader(project: string, folder: string): Promise<void> {
  const named = join(project, layout.boilerplate);
  if ((await statsAt(named))?.isFile() !== true || !(await leadsInside(project, named))) return;
  const text = await readFileOf(project, layout.boilerplate);
  if (text === undefined || readHeader(text) !== undefined) return;
  await mkdir(dirname(join(folder, layout.boilerplate)), { recursive: true });
  await writeFile(join(folder, layout.boilerplate), text);
}

/** @returns the reason why the run failed; undefined if it did not */
async function repeat(
  pkg: OpsdkPackage,
  run: RecordedCommand,
  options: ReplayOptions,
): Promise<string | undefined> {
  const prepared = await prepare(run, options);
  if ('problem' in prepared) return prepared.problem;
  const end = await runOpSdk(pkg, repeatedCommand(prepared.run, options.spec), options);
  if (end.exitCode !== 0) return end.startError ?? firstError(end.output);
  const isMade = await pathExists(join(options.folder, layout.projectFile));
  return isMade ? undefined : `it made no ${layout.projectFile}`;
}

/**
 * Returns the arguments of op-sdk that repeat a run in a copy.
 * @param spec dependency on opsdk
 */
export function repeatedCommand(run: RecordedCommand, spec: string): readonly string[] {
  const words = wordsOf(run);
  if (run.command === 'init') return [...words, '--skip-install', `--opsdk=${spec}`];
  // In the copy, nothing that is deleted is anybody's.
  return run.command === 'delete api' ? [...words, '--force'] : words;
}

function wordsOf({ command, flags }: RecordedCommand): readonly string[] {
  return [
    ...command.split(' '),
    ...Object.entries(flags).map(([name, value]) => (value === true ? `--${name}` : `--${name}=${value}`)),
  ];
}

async function runOpSdk(
  pkg: OpsdkPackage,
  args: readonly string[],
  { folder, env, signal, runs }: ReplayOptions,
): ReturnType<typeof runCommand> {
  const { OPSDK_SPEC: _spec, FORCE_COLOR: _color, ...rest } = env;
  return runCommand(process.execPath, [join(pkg.root, 'bin/op-sdk.js'), ...args], {
    cwd: folder,
    signal,
    env: { ...rest, CI: '1', npm_config_user_agent: userAgentOf(runs[0]?.packageManager) },
  });
}

/** Returns the user agent of a recorded package manager. Without a version, its name is not recognised. */
export function userAgentOf(manager = 'npm'): string {
  return manager.includes('/') ? `${manager}.0.0` : `${manager}/0.0.0`;
}

/** Returns the message of the first error that op-sdk printed; otherwise of the error that ended Node.js; otherwise the last line. */
export function firstError(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !/^\s+at |^Node\.js v/.test(line));
  const error =
    lines.find((line) => line.startsWith('error')) ??
    lines.find((line) => /^(?:Uncaught )?\w*Error\b.*: /.test(line)) ??
    lines.at(-1) ??
    'it printed nothing';
  return error.replace(/^error(?:\[[^\]]*\])?: /, '').trim();
}

/**
 * Makes the definition or the module of an external kind available in the copy.
 * @returns the run with the path in the copy, or the reason why this is not possible
 */
async function prepare(
  run: RecordedCommand,
  { project, folder }: ReplayOptions,
): Promise<{ readonly run: RecordedCommand } | { readonly problem: string }> {
  const source = run.flags['external-api-path'];
  if (typeof source !== 'string') return { run };
  if (/^[a-z]+:\/\//i.test(source) || source === '-')
    return { problem: `${source} is not a file of the project` };
  const named = join(project, source);
  const found = await statsAt(named);
  if (found?.isDirectory() === false) {
    if (!found.isFile()) return { problem: `${source} is not a regular file` };
    if (!(await leadsInside(project, named))) return { problem: `${source} is outside of the project` };
    const text = await readFileOf(project, source);
    const file = join(dirname(folder), `${basename(folder)}-inputs`, basename(source));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text ?? '');
    return { run: { ...run, flags: { ...run.flags, 'external-api-path': file } } };
  }
  const [name] = /^(?:@[\w-][\w.-]*\/)?[\w-][\w.-]*/.exec(source) ?? [];
  const installed = name === undefined ? undefined : join(project, 'node_modules', name);
  if (name === undefined || installed === undefined || !(await pathExists(installed)))
    return { problem: `${source} is neither a file of the project nor an installed package` };
  const link = join(folder, 'node_modules', name);
  await mkdir(dirname(link), { recursive: true });
  if (!(await pathExists(link))) await symlink(installed, link, 'junction');
  return { run };
}

/**
 * Returns a predicate for files that are generated from sources: manifests of kinds and permissions, and monitoring. They are updated by
 * separate commands.
 */
async function generatedFiles(
  pkg: OpsdkPackage,
  projectText: string,
  options: ReplayOptions,
): Promise<(path: string) => boolean> {
  const listed = new Set<string>();
  const { stdout } = await runOpSdk(pkg, ['generate', 'manifests', '--check', '-o', 'json'], options);
  try {
    const { files } = jsonMapOf(jsonMapOf(JSON.parse(stdout))['result']);
    for (const path of jsonListOf(files)) if (typeof path === 'string') listed.add(path);
  } catch {
    // The paths of this version are known below.
  }
  const known = new Set<string>([
    layout.role,
    layout.permissions,
    `${layout.webhookConfig}/${layout.webhookManifests}`,
  ]);
  // `create monitoring` merges these files itself.
  const monitoring = new Set(filesWithParts(projectText));
  return (path) =>
    listed.has(path) || known.has(path) || monitoring.has(path) || path.startsWith(`${layout.crd}/bases/`);
}

/** Returns all files below a folder, with forward slashes. Linked packages are left out. */
async function pathsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.startsWith('node_modules/'))
    .sort();
}
