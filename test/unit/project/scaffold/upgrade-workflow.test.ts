// The scripts of the workflow that `init --upgrade-workflow` scaffolds, run as GitHub runs them: with the real git and a remote repository,
// and with an op-sdk and a gh that write what the test says.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { detectPackageManager } from '../../../../src/project/project/index.ts';
import { initFiles } from '../../../../src/project/scaffold/sets/bundle.ts';
import { ProjectInGit } from '../../../helpers/project-in-git.ts';

interface Workflow {
  readonly permissions: object;
  readonly jobs: {
    readonly upgrade: {
      readonly permissions: object;
      readonly steps: readonly {
        readonly uses?: string;
        readonly with?: Readonly<Record<string, unknown>>;
        readonly name?: string;
        readonly run?: string;
        readonly env?: Readonly<Record<string, string>>;
      }[];
    };
  };
}

let scratch = '';
let workflow: Workflow;
let files: Awaited<ReturnType<typeof initFiles>>;

beforeAll(async () => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-workflow-')));
  files = await initFiles({
    ...{ domain: 'example.com', projectName: 'cache-operator', license: 'none' },
    ...{ opsdk: '^1.0.0', cliVersion: '1.0.0', upgradeWorkflow: true, nodeVersion: '24.1.0' },
    packageManager: detectPackageManager({}),
  });
  const text = files.find(({ path }) => path.endsWith('/upgrade.yaml'))?.content ?? '';
  workflow = parse(text) as Workflow;
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The script of a step, by its name. */
function scriptOf(name: string): string {
  return (
    workflow.jobs.upgrade.steps.find((step) => step.name === name)?.run ?? expect.fail(`no step ${name}`)
  );
}

/** A checkout of a project on a runner, with its remote repository. */
class Runner {
  readonly project: ProjectInGit;
  readonly remote: string;
  readonly #folder: string;

  constructor(name: string) {
    this.#folder = join(scratch, name);
    this.remote = join(this.#folder, 'remote.git');
    this.project = new ProjectInGit(join(this.#folder, 'checkout'));
    for (const path of ['checkout', 'bin', 'temp']) mkdirSync(join(this.#folder, path), { recursive: true });
    for (const { path, content } of files) this.project.write(path, content);
    execFileSync('git', ['init', '--quiet', '--bare', this.remote]);
    this.project.git('init', '--quiet', '--initial-branch=main');
    this.project.commit('scaffold');
    this.project.git('remote', 'add', 'origin', this.remote);
    this.project.git('push', '--quiet', 'origin', 'main');
    this.pullRequests('');
  }

  /** Lets `op-sdk upgrade` run a script. */
  upgrades(script: string): void {
    this.#program('npx', `[ "$*" = "--no op-sdk upgrade --to latest" ] || exit 64\n${script}`);
  }

  /** Lets `gh pr list` print numbers; `gh pr create` fails where `refused` is one of its arguments. */
  pullRequests(numbers: string, refused = 'none'): void {
    this.#program(
      'gh',
      `[ -n "$GH_TOKEN" ] || exit 4
echo "$*" >> ${JSON.stringify(join(this.#folder, 'gh.txt'))}
case "$* " in
*" ${refused} "*) exit 1 ;;
"pr list "*) echo '${numbers}' ;;
esac`,
    );
  }

  /** Runs both steps as GitHub does. @returns the code of the last one that ran */
  run(): number {
    writeFileSync(this.#path('github-output'), '');
    const code = this.#step('upgrade', {});
    const isChanged = readFileSync(this.#path('github-output'), 'utf8') === 'changed=true\n';
    return code === 0 && isChanged ? this.#step('pull request', { GH_TOKEN: 'secret' }) : code;
  }

  /** Commands of gh, without those that only ask. */
  get created(): readonly string[] {
    const calls = existsSync(this.#path('gh.txt'))
      ? readFileSync(this.#path('gh.txt'), 'utf8').split('\n')
      : [];
    return calls.filter((call) => call.startsWith('pr create'));
  }

  get body(): string {
    return readFileSync(this.#path('temp/body.md'), 'utf8');
  }

  /** Paths that the branch of a version changes. */
  changed(version: string): readonly string[] {
    const range = `main..op-sdk-upgrade-${version}`;
    const git = ['--git-dir', this.remote, 'diff', '--name-only', range];
    return execFileSync('git', git, { encoding: 'utf8' }).trim().split('\n');
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  #program(name: string, script: string): void {
    writeFileSync(this.#path(`bin/${name}`), `#!/bin/sh\n${script}\n`);
    chmodSync(this.#path(`bin/${name}`), 0o755);
  }

  #step(name: string, env: NodeJS.ProcessEnv): number {
    const { status, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', scriptOf(name)],
      {
        cwd: this.project.folder,
        encoding: 'utf8',
        env: {
          ...{ PATH: [this.#path('bin'), process.env['PATH']].join(delimiter), HOME: this.#folder },
          ...{ RUNNER_TEMP: this.#path('temp'), GITHUB_OUTPUT: this.#path('github-output') },
          ...{ GITHUB_REF_NAME: 'main', GIT_CONFIG_NOSYSTEM: '1', ...env },
        },
      },
    );
    expect(status, stderr).not.toBeNull();
    return status ?? -1;
  }
}

const toVersion = (version: string): string =>
  `sed -i.bak 's/^cliVersion: .*/cliVersion: ${version}/' PROJECT; rm PROJECT.bak`;
const createCall =
  'pr create --base main --head op-sdk-upgrade-1.1.0 --title Upgrade to op-sdk 1.1.0 --body-file';

describe('the workflow', () => {
  test('has the rights that a pull request needs, in one job, and gives its token to one step', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(workflow.jobs.upgrade.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' });
    const { steps } = workflow.jobs.upgrade;
    expect(steps.find(({ uses }) => uses?.startsWith('actions/checkout@'))?.with).toEqual({
      'persist-credentials': false,
    });
    expect(steps.filter(({ env }) => env !== undefined).map(({ name }) => name)).toEqual(['pull request']);
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  test('opens a pull request with what has changed, and none where there is nothing', () => {
    const runner = new Runner('changed');
    runner.upgrades('echo up to date');
    expect(runner.run()).toBe(0);
    expect(runner.created).toEqual([]);
    runner.upgrades(
      `${toVersion('1.1.0')}; echo '# 1.1.0' >> Dockerfile; echo new > GUIDE.md; echo upgraded`,
    );
    expect(runner.run()).toBe(0);
    expect(runner.created).toEqual([expect.stringMatching(new RegExp(`^${createCall} \\S+$`))]);
    expect(runner.changed('1.1.0')).toEqual(['Dockerfile', 'GUIDE.md', 'PROJECT']);
    expect(runner.body).toContain('~~~~text\nupgraded\n~~~~');
    expect(runner.body).not.toMatch(/git apply|marked/);
  });

  test('leaves a pull request alone that exists', () => {
    const runner = new Runner('exists');
    runner.upgrades(toVersion('1.1.0'));
    runner.pullRequests('7');
    expect(runner.run()).toBe(0);
    expect(runner.created).toEqual([]);
    expect(runner.project.git('ls-remote', '--heads', 'origin')).toMatch(/^\w+\trefs\/heads\/main\n$/);
  });

  test('keeps the commits of a branch without a pull request', () => {
    const runner = new Runner('branch');
    runner.project.git('switch', '--quiet', '--create', 'op-sdk-upgrade-1.1.0');
    runner.project.write('mine.txt', 'mine\n');
    runner.project.commit('mine');
    runner.project.git('push', '--quiet', 'origin', 'op-sdk-upgrade-1.1.0');
    runner.project.git('switch', '--quiet', '--detach', 'main');
    runner.upgrades(toVersion('1.1.0'));
    expect(runner.run()).toBe(0);
    expect(runner.created).toHaveLength(1);
    expect(runner.changed('1.1.0')).toEqual(['mine.txt']);
  });

  const conflict = `${toVersion('1.1.0')}
printf '<<<<<<< edited\\nmine\\n=======\\ntheirs\\n>>>>>>> op-sdk\\n' >> src/main.ts
echo 'error[upgrade/conflict]: src/main.ts' >&2
exit 1`;

  test('opens a draft that lists conflicts', () => {
    const runner = new Runner('conflict');
    runner.upgrades(conflict);
    expect(runner.run()).toBe(0);
    expect(runner.created).toEqual([expect.stringMatching(new RegExp(`^${createCall} \\S+ --draft$`))]);
    expect(runner.body).toContain('\n- `src/main.ts`\n');
    expect(runner.body).toContain('error[upgrade/conflict]: src/main.ts\n');
    expect(runner.changed('1.1.0')).toEqual(['PROJECT', 'src/main.ts']);
  });

  test('shows the marks of a workflow in its patch alone', () => {
    const runner = new Runner('workflow-conflict');
    runner.upgrades(conflict.replace('src/main.ts', '.github/workflows/test.yml'));
    expect(runner.run()).toBe(0);
    expect(runner.created).toEqual([expect.stringMatching(/ --draft$/)]);
    expect(runner.changed('1.1.0')).toEqual(['PROJECT']);
    expect(runner.body).not.toContain('- `.github/workflows/test.yml`');
    expect(runner.body).not.toContain('A step after that failed');
    expect(runner.body).toContain('\nIt marks lines that you have edited');
  });

  test('does not print a patch that is too long for a pull request', () => {
    const runner = new Runner('long-patch');
    runner.upgrades(`${toVersion('1.1.0')}; seq 1 9000 >> .github/workflows/test.yml`);
    expect(runner.run()).toBe(0);
    expect(runner.body).toContain('run the upgrade on your machine');
    expect(runner.body).not.toContain('~~~~diff');
  });

  test('reads the version of a PROJECT with CRLF', () => {
    const runner = new Runner('crlf');
    runner.upgrades(`${toVersion('"1.1.0"')}; sed -i.bak 's/$/\r/' PROJECT; rm PROJECT.bak`);
    expect(runner.run()).toBe(0);
    expect(runner.changed('1.1.0')).toEqual(['PROJECT']);
  });

  test('opens an ordinary pull request where a repository has no drafts', () => {
    const runner = new Runner('no-drafts');
    runner.upgrades(conflict);
    runner.pullRequests('', '--draft');
    expect(runner.run()).toBe(0);
    expect(runner.created.map((call) => call.endsWith(' --draft'))).toEqual([true, false]);
  });

  test('opens a draft where a step after the upgrade fails', () => {
    const runner = new Runner('step');
    runner.upgrades(
      `${toVersion('1.1.0')}; echo 'error[upgrade/follow-up-failed]: \`npm run typecheck\`' >&2; exit 1`,
    );
    expect(runner.run()).toBe(0);
    expect(runner.created).toEqual([expect.stringMatching(new RegExp(`^${createCall} \\S+ --draft$`))]);
    expect(runner.body).toContain('\nA step after that failed: ');
  });

  test('fails where the upgrade fails without conflicts', () => {
    const runner = new Runner('failed');
    runner.upgrades(`${toVersion('1.1.0')}; exit 2`);
    expect(runner.run()).toBe(2);
    expect(runner.created).toEqual([]);
  });

  test('shows changes of workflows, which its token may not push', () => {
    const runner = new Runner('workflows');
    const path = '.github/workflows/test.yml';
    runner.upgrades(`${toVersion('1.1.0')}; echo '# 1.1.0' >> ${path}; echo new > ${dirname(path)}/new.yml`);
    const before = runner.project.read(path);
    expect(runner.run()).toBe(0);
    expect(runner.changed('1.1.0')).toEqual(['PROJECT']);
    expect(runner.project.read(path)).toBe(before);
    const [, patch = ''] = /~~~~diff\n([^]*?)~~~~/.exec(runner.body) ?? [];
    runner.project.write('../temp/patch', patch);
    runner.project.git('apply', '../temp/patch');
    expect(runner.project.read(path)).toBe(`${before}# 1.1.0\n`);
    expect(runner.project.read(`${dirname(path)}/new.yml`)).toBe('new\n');
  });
});
