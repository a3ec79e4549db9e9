import { defineCommand, type CliContext, type ParsedOptions } from '../command.ts';
import { flag } from '../flags/flag.ts';
import { dryRunFlag } from '../flags/common.ts';
import { basename } from 'node:path';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import {
  checkProjectName,
  checkSubdomain,
  checkTextLine,
  detectPackageManager,
  shownCommand,
  layout,
  projectNameFromFolder,
  readFileOf,
  type PackageManager,
} from '../../project/project/index.ts';
import {
  initFiles,
  licenses,
  opsdkDependency,
  planFiles,
  type License,
  type RenderedFile,
} from '../../project/scaffold/index.ts';
import { runCommand } from '../../base/util/exec.ts';
import { packageInfo, packageRoot } from '../package-info.ts';
import { ask, reportOverwrites } from '../ui/prompts.ts';
import { carryOut } from '../actions/files/apply-plan.ts';
import { checkFlag, missingFlag } from '../actions/input/flag-values.ts';
import { monitoringNotes, planProjectMonitoring } from '../actions/monitoring/plan-project-monitoring.ts';
import { plannedManifests } from '../actions/manifests/made-manifests.ts';

const flags = {
  domain: flag.text('domain', 'domain of the API groups, such as example.com'),
  repo: flag.text('repo', 'the repository of the sources; recorded in PROJECT'),
  'project-name': flag.text('name', "name of the project (default: the folder's name)"),
  owner: flag.text('owner', 'owner named in the copyright'),
  license: flag.text('license', "licence of the source files: 'apache2' or 'none'", { default: 'apache2' }),
  opsdk: flag.text('spec', "the project's dependency on opsdk (default: this version; env: OPSDK_SPEC)"),
  'project-version': flag.text('version', 'version of the PROJECT format', { default: '3' }),
  namespaced: flag.boolean('the operator works in its own namespace, with Roles in place of ClusterRoles'),
  monitoring: flag.boolean('add alerts and a dashboard, as op-sdk create monitoring does'),
  'upgrade-workflow': flag.boolean(
    'add a workflow for GitHub that opens pull requests with new versions of op-sdk',
  ),
  'skip-install': flag.boolean('do not install the dependencies'),
  force: flag.boolean('overwrite files that exist'),
  ...dryRunFlag,
};

export const command = defineCommand({
  locksProject: 'here',
  flags,
  async run(context, options) {
    // Check that this folder is not yet a project before the user is prompted.
    if (context.interactive) await refuseProject(context.cwd);
    const input = await checkInput(context, options);
    await refuseProject(context.cwd);
    const manager = detectPackageManager(context.env);
    const own = packageInfo();
    const dependency = await opsdkDependency({
      version: own.version,
      packageRoot,
      requested: options.opsdk ?? nonEmpty(context.env['OPSDK_SPEC']),
      env: context.env,
      signal: context.signal,
    });
    const rendered = await initFiles({
      ...input,
      namespaced: options.namespaced,
      upgradeWorkflow: options.upgradeWorkflow,
      opsdk: dependency.spec,
      cliVersion: own.version,
      packageManager: manager,
      nodeVersion: context.nodeVersion,
    });
    const monitoring =
      options.monitoring === true ? await withMonitoring(context, rendered, input) : undefined;
    const scaffold = monitoring?.files ?? rendered;
    const files = [...scaffold, ...(dependency.tarball === undefined ? [] : [dependency.tarball])];
    // Report file conflicts before the manifests are generated, which is slower.
    await planFiles(context.cwd, { fresh: files, force: options.force === true });
    const manifests = await plannedManifests(context.cwd, scaffold);
    const plan = await planFiles(context.cwd, {
      fresh: [...files, ...manifests.files],
      force: options.force === true,
    });
    await reportOverwrites(context, plan);
    const dryRun = options.dryRun === true;
    const next = 'op-sdk create api --group <group> --version v1alpha1 --kind <Kind>';
    const result = await carryOut(context, plan, { dryRun });
    if (!dryRun) for (const note of monitoring?.notes ?? []) context.report.info(note);
    const skipInstall = options.skipInstall === true;
    return {
      result: { ...result, projectName: input.projectName, opsdk: dependency.spec },
      warnings: manifests.warnings,
      // The installation runs after the lock is released, because install scripts of the project may call op-sdk.
      ...(dryRun || skipInstall ? {} : { afterwards: () => install(context, manager, next) }),
      ...(dryRun ? {} : { next: [...(skipInstall ? [installCommand(manager)] : []), next] }),
    };
  },
});

/** Adds the monitoring files to those of a new project. Its controllers come later, with another run of `create monitoring`. */
async function withMonitoring(
  { cwd }: CliContext,
  rendered: readonly RenderedFile[],
  { projectName }: Pick<CheckedInput, 'projectName'>,
): Promise<{ readonly files: readonly RenderedFile[]; readonly notes: readonly string[] }> {
  const projectText = rendered.find(({ path }) => path === layout.projectFile)?.content ?? '';
  const plan = await planProjectMonitoring({
    ...{ folder: cwd, projectName, projectText, planned: rendered, force: false },
  });
  const planned = new Map([...plan.fresh, ...plan.maintained].map(({ path, content }) => [path, content]));
  const changed = rendered.map(({ path, content }) => ({ path, content: planned.get(path) ?? content }));
  const known = new Set(rendered.map(({ path }) => path));
  const added = [...planned].filter(([path]) => !known.has(path));
  return {
    files: [...changed, ...added.map(([path, content]) => ({ path, content }))],
    notes: [
      ...monitoringNotes(plan),
      'After each `op-sdk create api` and `create webhook`, run `op-sdk create monitoring` for their part of the dashboard.',
    ],
  };
}

type Options = ParsedOptions<typeof flags>;

interface CheckedInput {
  readonly domain: string;
  readonly projectName: string;
  readonly repo: string | undefined;
  readonly owner: string | undefined;
  readonly license: License;
}

/** Checks the flags of `init`. @throws OpSdkError with a finding for every flag that is missing or wrong */
async function checkInput(context: CliContext, options: Options): Promise<CheckedInput> {
  const findings = new FindingList();
  const domain =
    options.domain ??
    (await ask(context, 'Domain of your API groups', {
      check: checkSubdomain,
      placeholder: 'example.com',
    }));
  if (domain === undefined) {
    findings.add(
      missingFlag(
        '--domain',
        'the domain of the API groups is missing',
        'add --domain <domain>, such as --domain example.com',
      ),
    );
  } else {
    checkFlag(findings, '--domain', domain, checkSubdomain, ['give a domain such as example.com']);
  }
  const derived = projectNameFromFolder(basename(context.cwd));
  const projectName = options.projectName ?? derived;
  const fix = ['give a name such as --project-name nginx-operator'];
  if (projectName === undefined) {
    findings.add(
      missingFlag(
        '--project-name',
        `the folder's name ${JSON.stringify(basename(context.cwd))} gives no name for the project`,
        ...fix,
      ),
    );
  } else {
    checkFlag(findings, '--project-name', projectName, checkProjectName, fix);
  }
  checkFlag(findings, '--repo', options.repo, checkTextLine, ['write it on one line']);
  checkFlag(findings, '--owner', options.owner, checkTextLine, ['write it on one line']);
  checkFlag(
    findings,
    '--opsdk',
    options.opsdk,
    (value) => (value === '' ? 'it is empty' : checkTextLine(value)),
    ['give what package.json takes, such as ^0.1.0 or file:../opsdk.tgz'],
  );
  const license = licenses.find((known) => known === options.license);
  checkFlag(
    findings,
    '--license',
    options.license,
    () => (license === undefined ? `it must be ${licenses.join(' or ')}` : undefined),
    [`give ${licenses.map((known) => `--license ${known}`).join(' or ')}`],
  );
  checkFlag(
    findings,
    '--project-version',
    options.projectVersion,
    (value) => (value === '3' ? undefined : 'only 3 is known'),
    ['leave the flag out'],
  );
  findings.throwIfAny();
  return {
    domain: domain ?? '',
    projectName: projectName ?? '',
    repo: options.repo,
    owner: options.owner,
    license: license ?? 'apache2',
  };
}

async function refuseProject(cwd: string): Promise<void> {
  if ((await readFileOf(cwd, layout.projectFile)) === undefined) return;
  throw new OpSdkError({
    code: 'project/already-exists',
    message: 'this folder holds a PROJECT file, so it is a project already',
    where: { file: layout.projectFile },
    fix: ['run init in an empty folder', 'add an API to this project with `op-sdk create api`'],
  });
}

function installCommand({ name, install }: PackageManager): string {
  return [name, ...install].join(' ');
}

/** Installs the dependencies of the project. @param next command that the user should run after a successful installation */
async function install(context: CliContext, manager: PackageManager, next: string): Promise<void> {
  const { cwd, env, signal, report } = context;
  const command = installCommand(manager);
  report.step(`${command} (this may take a minute)`);
  const end = await runCommand(manager.name, manager.install, {
    cwd,
    env,
    signal,
    onLine: (line) => report.info(line),
  }).catch((error: unknown) => {
    if (signal.aborted) report.info(`the files of the project are complete; run \`${command}\` to go on`);
    throw error;
  });
  if (end.exitCode === 0) return;
  const reason = end.startError === 'ENOENT' ? `${manager.name} was not found on the PATH` : end.startError;
  throw new OpSdkError({
    code: 'scaffold/install-failed',
    message: `\`${command}\` failed${reason === undefined ? '' : `: ${reason}`}; the files of the project are complete`,
    where: { command, ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }) },
    fix: [
      `mend the cause and run \`${command}\` in ${cwd}`,
      `then go on with \`${shownCommand(next, cwd, env)}\``,
    ],
  });
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
