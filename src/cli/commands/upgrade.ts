import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { valid } from 'semver';
import { defineCommand, type CliContext } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { OpSdkError } from '../../base/errors/index.ts';
import { unifiedDiff } from '../../base/util/diffs.ts';
import { readWorkingTree } from '../../base/util/git.ts';
import { renameImports } from '../../compiler/source/index.ts';
import { loadProject, type LoadedProject } from '../../project/project/index.ts';
import type { FileChange } from '../../project/scaffold/index.ts';
import {
  planProjectUpgrade,
  publishedVersion,
  renamesSince,
  unfinishedUpgrade,
  type UpgradeTarget,
} from '../../project/upgrade/index.ts';
import { carryOut } from '../actions/files/apply-plan.ts';
import { exclusiveFlags } from '../actions/input/flag-values.ts';
import { goOn, lastSteps, refuseConflictsLeft, writeRecorded } from '../actions/upgrade/last-steps.ts';
import {
  behind,
  formerVersion,
  isOlder,
  isTag,
  isUpToDate,
  targetVersion,
} from '../actions/upgrade/versions.ts';
import { sourcesOfProject } from '../actions/versions/further-version.ts';
import { reportWarnings } from '../ui/reporter.ts';

export const command = defineCommand({
  locksProject: 'project',
  isRepeatable: true,
  flags: {
    to: flag.text(
      'version',
      'a version, range or tag of the registry, or the path of an archive (default: the running op-sdk)',
    ),
    check: flag.boolean('write nothing; exit 1 if something would change'),
    force: flag.boolean('upgrade a working tree with changes that are not committed'),
    'skip-install': flag.boolean('do not install the dependencies, and generate nothing'),
    ...dryRunFlag,
  },
  help: `
Brings the scaffolded files of a project to another version of op-sdk. The commands that PROJECT records are repeated in temporary folders
with the version that made the project and with the new one; what differs is merged into the project's files. Edits stay; lines that both
sides have changed are marked as git marks them. Deleted files stay deleted.

Afterwards the dependencies are installed, the generated manifests and a chart are generated again, and the types are checked.

  op-sdk upgrade --to latest --dry-run
  op-sdk upgrade --to latest
  op-sdk upgrade --to ./opsdk-1.4.0.tgz`,
  async run(context, { to, check, force, dryRun, skipInstall }) {
    if (check && (force || dryRun))
      throw new OpSdkError(exclusiveFlags('--check', force ? '--force' : '--dry-run'));
    const project = await loadProject(context.cwd);
    const folder = await mkdtemp(join(tmpdir(), 'op-sdk-upgrade-'));
    try {
      // A tag, a range or an archive has to be installed before it is known which version it is.
      const named = to === undefined ? null : valid(to);
      const found = named === null ? await targetVersion(context, project, to, folder) : undefined;
      const version = found?.version ?? named ?? '';
      const versions = { from: project.cliVersion, to: version };
      const left = await unfinishedUpgrade(project);
      // The installed op-sdk is the former one until the dependencies are installed.
      const isFormer = to === undefined && isOlder(version, project.cliVersion);
      if (left !== undefined && (left.version === version || isFormer))
        return await goOn(context, project, { left, check, dryRun, skipInstall });
      if (left !== undefined) await refuseConflictsLeft(project.root, left);
      if (await isUpToDate(project, version)) {
        context.report.info(`the project has the scaffolds of op-sdk ${version}`);
        return { result: { ...versions, dryRun, files: [] } };
      }
      const newer = await behind(project, version);
      if (newer.length > 0 && to !== undefined && isTag(to)) {
        context.report.info(`the project has a newer op-sdk than ${to}, which is ${version}: nothing to do`);
        return { result: { ...versions, dryRun, files: [] } };
      }
      if (newer.length > 0) throw new OpSdkError(newer);
      const target = found ?? (await targetVersion(context, project, to, folder));
      const { changes, conflicts, warnings, notes } = await planned(context, project, target, folder);
      if (check) {
        reportWarnings(context.report, [...warnings, ...conflicts]);
        throw outdated(changes, target.version, to);
      }
      if (!dryRun && !force) await refuseUncommitted(context);
      const plan = { root: project.root, changes, removesEmptyFolders: true };
      const result = await (dryRun
        ? carryOut(context, plan, { dryRun })
        : writeRecorded(context, plan, { version: target.version, conflicts }));
      for (const note of notes) context.report.info(note);
      return {
        result: { ...versions, ...result },
        warnings,
        ...(dryRun ? { errors: conflicts, text: diffOf(changes) } : {}),
        ...(dryRun ? {} : await lastSteps(context, project, { conflicts, skipInstall })),
      };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

async function planned(
  context: CliContext,
  project: LoadedProject,
  target: UpgradeTarget,
  folder: string,
): ReturnType<typeof planProjectUpgrade> {
  const { env, signal, report } = context;
  const base = await formerVersion(context, project, folder);
  if (!base.isExact) {
    const { cliVersion } = project;
    const why =
      cliVersion === undefined ? 'PROJECT has no cliVersion' : `op-sdk ${cliVersion} is unavailable`;
    report.info(
      `${why}: the installed ${base.version} is used in its place, and files that it would scaffold differently are left alone`,
    );
  }
  report.step(`comparing the scaffolds of op-sdk ${base.version} and ${target.version}`);
  const renames = await renamesSince(publishedVersion(base.version), {
    root: target.root,
    version: publishedVersion(target.version),
  });
  return planProjectUpgrade({
    ...{ project, base, isExact: base.isExact, target, folder, env, signal },
    rewrite: (path, text) => (/\.[cm]?tsx?$/.test(path) ? renameImports(path, text, renames) : text),
    sources: renames.length === 0 ? new Map() : await sourcesOfProject(project.root),
  });
}

const verbs: Readonly<Record<FileChange['action'], string>> = {
  create: 'is missing',
  update: 'is of an older version',
  delete: 'is no longer scaffolded',
  unchanged: '',
};

function outdated(changes: readonly FileChange[], version: string, to: string | undefined): OpSdkError {
  const command = [
    'op-sdk upgrade',
    ...(to === undefined ? [] : ['--to', /^[\w./@~-]+$/.test(to) ? to : `'${to}'`]),
  ].join(' ');
  return new OpSdkError(
    changes
      .filter(({ action }) => action !== 'unchanged')
      .map(({ action, path }) => ({
        code: 'upgrade/outdated',
        message: `${path} ${verbs[action]}: expected the file of op-sdk ${version}`,
        where: { file: path },
        fix: [`run \`${command}\``],
      })),
  );
}

/**
 * Refuses a working tree with changes that are not committed. A folder that is in no repository is upgraded.
 * @throws OpSdkError `upgrade/uncommitted-changes`, `upgrade/unreadable-repository`
 */
async function refuseUncommitted({ cwd, env, signal }: CliContext): Promise<void> {
  const tree = await readWorkingTree({ cwd, env, signal });
  if (tree.kind === 'unreadable')
    throw new OpSdkError({
      code: 'upgrade/unreadable-repository',
      message: `expected a repository that git can read, got: ${tree.reason}`,
      fix: ['correct the cause that the message of git names', 'add --force'],
    });
  if (tree.kind === 'none' || tree.changed.length === 0) return;
  const files = tree.changed;
  const shown = files.slice(0, 5);
  throw new OpSdkError({
    code: 'upgrade/uncommitted-changes',
    message: `expected a working tree without changes, got ${files.length}: ${shown.join(', ')}${files.length > shown.length ? ', …' : ''}`,
    fix: ['commit or stash them, so that you can undo the upgrade with git', 'add --force'],
  });
}

function diffOf(changes: readonly FileChange[]): string {
  return changes
    .map((change) => {
      if (change.action === 'unchanged' || change.path.endsWith('.tgz')) return '';
      const before = 'before' in change ? change.before : undefined;
      const after = 'content' in change ? String(change.content) : undefined;
      return unifiedDiff(
        { name: `a/${change.path}`, text: before },
        { name: `b/${change.path}`, text: after },
      );
    })
    .join('');
}
