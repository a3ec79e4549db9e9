// action.yml: its steps run in bash as a runner would run them, in a project in a git repository. `npx` hands its arguments to op-sdk in
// this process.
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { jsonListOf, jsonMapOf, jsonTextOf } from '../../../src/base/util/json-map.ts';
import { findCommand } from '../../../src/cli/program.ts';
import { readGuide } from '../../helpers/guide.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { repositoryRoot } from '../../helpers/source-files.ts';

const text = readFileSync(join(repositoryRoot, 'action.yml'), 'utf8');
const action = jsonMapOf(parse(text));
const inputs = jsonMapOf(action['inputs']);
const runs = jsonMapOf(action['runs']);
const steps = jsonListOf(runs['steps']).map(jsonMapOf);
const scriptOf = (step: (typeof steps)[number] | undefined): string => jsonTextOf(step?.['run']);

/** A name in an expression of GitHub: `${{ inputs.base }}`. */
const expression = /^\$\{\{ inputs\.([a-z-]+) \}\}$/;

describe('the file', () => {
  test('is a composite action without actions of others, whose steps are bash', () => {
    expect(runs['using']).toBe('composite');
    for (const step of steps) {
      expect(step).not.toHaveProperty('uses');
      expect(step['shell']).toBe('bash');
    }
  });

  test('gives inputs to the shell as variables only', () => {
    for (const step of steps) {
      expect(scriptOf(step)).not.toContain('${{');
      for (const value of [step['working-directory'], ...Object.values(jsonMapOf(step['env']))])
        expect(jsonTextOf(value)).toMatch(expression);
    }
  });

  test('describes every input, and uses it', () => {
    for (const [name, input] of Object.entries(inputs)) {
      expect(jsonTextOf(jsonMapOf(input)['description']), name).toMatch(/\.$/);
      expect(text).toContain(`\${{ inputs.${name} }}`);
    }
    const used = [...text.matchAll(/\$\{\{ inputs\.([a-z-]+) \}\}/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(Object.keys(inputs)));
  });

  test('names commands and flags that exist', async () => {
    const calls = steps.flatMap((step) => [...scriptOf(step).matchAll(/^ *run ([a-z].*)$/gm)]);
    expect(calls).toHaveLength(4);
    for (const [, call = ''] of calls) {
      const command = await findCommand(call.split(' '))?.load();
      expect(command?.formats, call).toContain('github');
      for (const [, flag = ''] of call.matchAll(/--([a-z-]+)/g))
        expect(Object.keys(command?.flags ?? {}), call).toContain(flag);
    }
  });

  test('is used by the guide, with inputs that it has', () => {
    const path = '.github/workflows/op-sdk.yaml';
    const guide = readGuide(readFileSync(join(repositoryRoot, 'docs/crd/diff.md'), 'utf8'));
    const file = guide.find((step) => step.kind === 'file' && step.path === path);
    const job = jsonMapOf(
      jsonMapOf(jsonMapOf(parse(file?.kind === 'file' ? file.content : ''))['jobs'])['checks'],
    );
    const used = jsonListOf(job['steps']).map(jsonMapOf).at(-1);
    expect(used?.['uses']).toBe('./node_modules/opsdk');
    for (const name of Object.keys(jsonMapOf(used?.['with']))) expect(inputs).toHaveProperty(name);
  });

  test('is in the package', () => {
    const { files } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
      files: string[];
    };
    expect(files).toContain('action.yml');
  });
});

let folder = '';
let cwd = '';
let base = '';
let server: Server;
/** The calls of op-sdk of the last run. */
let calls: (readonly string[])[] = [];

const identity = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgsign=false'];
const git = (...args: readonly string[]): string =>
  execFileSync('git', [...identity.flatMap((each) => ['-c', each]), ...args], { cwd, encoding: 'utf8' });
const opSdk = async (...args: readonly string[]): Promise<void> => {
  const { code, stderr } = await runCli(args, { cwd });
  expect(code, stderr).toBe(0);
};
const kind = 'src/api/web/v1/site.ts';
const edit = (path: string, change: (before: string) => string): void =>
  writeFileSync(join(cwd, path), change(readFileSync(join(cwd, path), 'utf8')));

/** Arguments go to op-sdk through a socket, as JSON in one line; its output comes back in the same way. */
const npx = `#!/usr/bin/env node
const [flag, name, ...args] = process.argv.slice(2);
if (flag !== '--no' || name !== 'op-sdk') throw new Error('unexpected arguments');
let answer = '';
require('node:net')
  .connect(process.env.OP_SDK_SOCKET)
  .on('data', (data) => (answer += data))
  .on('end', () => {
    const { code, stdout, stderr } = JSON.parse(answer);
    process.stdout.write(stdout);
    process.stderr.write(stderr);
    process.exitCode = code;
  })
  .write(JSON.stringify(args) + '\\n');
`;

async function answer(line: string): Promise<string> {
  const args = JSON.parse(line) as readonly string[];
  calls.push(args);
  return JSON.stringify(await runCli(args, { cwd, env: { ...process.env, GITHUB_WORKSPACE: cwd } }));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-action-'));
  cwd = join(folder, 'project');
  mkdirSync(cwd);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/npx'), npx);
  chmodSync(join(folder, 'bin/npx'), 0o755);
  server = createServer((socket) => {
    let received = '';
    socket.setEncoding('utf8').on('data', (data: string) => {
      received += data;
      if (received.endsWith('\n')) void answer(received).then((output) => socket.end(output));
    });
  });
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve));
  git('init', '--quiet', '--initial-branch=main');
  await opSdk('init', '--domain', 'example.com', '--project-name', 'x', '--skip-install', '--opsdk', '*');
  await opSdk(
    'create',
    'api',
    '--group',
    'web',
    '--version',
    'v1',
    '--kind',
    'Site',
    '--resource',
    '--controller',
  );
  edit(kind, (before) =>
    before.replace(/(interface SiteSpec \{)/, '$1\n  /** Name of the site. */\n  host: string;'),
  );
  await opSdk('generate', 'manifests');
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  base = git('rev-parse', 'HEAD').trim();
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  calls = [];
  git('reset', '--quiet', '--hard', base);
  git('clean', '--quiet', '-fd');
});

/** Runs the steps with their inputs. @returns the exit code of the first one that fails, and what all of them print */
async function run(given: Readonly<Record<string, string>> = {}): Promise<{ code: number; output: string }> {
  const valueOf = (value: unknown): string => {
    const [, name = ''] = expression.exec(jsonTextOf(value)) ?? [];
    const initial = jsonTextOf(jsonMapOf(inputs[name])['default']);
    return given[name] ?? (name === 'base' ? base : initial);
  };
  let output = '';
  for (const step of steps) {
    const script = join(folder, 'step.sh');
    writeFileSync(script, scriptOf(step));
    const env = {
      PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
      OP_SDK_SOCKET: join(folder, 'socket'),
      ...Object.fromEntries(
        Object.entries(jsonMapOf(step['env'])).map(([name, value]) => [name, valueOf(value)]),
      ),
    };
    const code = await new Promise<number>((resolve) => {
      execFile(
        'bash',
        ['--noprofile', '--norc', '-eo', 'pipefail', script],
        { cwd: join(cwd, valueOf(step['working-directory'])), env },
        (error, stdout, stderr) => {
          output += stdout + stderr;
          resolve(error === null ? 0 : Number(error.code));
        },
      );
    });
    if (code !== 0) return { code, output };
  }
  return { code: 0, output };
}

describe('a pull request', () => {
  test('that changes nothing passes', async () => {
    const { code, output } = await run();
    expect(code, output).toBe(0);
    expect(calls).toEqual([
      ['generate', 'manifests', '--check', '-o', 'github'],
      ['crd', 'diff', `git:${base}`, 'project', '--fail-on', 'breaking', '-o', 'github'],
      ['rbac', 'diff', `git:${base}`, '--fail-on', 'widened', '-o', 'github'],
    ]);
    expect(output).not.toMatch(/^::/m);
  });

  test('with a breaking change, wider permissions and old manifests fails with an annotation of each', async () => {
    edit(kind, (before) => before.replace('host: string', 'host: boolean'));
    edit('src/controllers/web/site.ts', (before) =>
      before.replace(
        /defineController\((\w+), \{|defineController\(\{/,
        (found) => `${found}\n  rbac: [{ groups: [''], resources: ['secrets'], verbs: ['list'] }],`,
      ),
    );
    const { code, output } = await run();
    expect(code, output).toBe(1);
    expect(output).toMatch(
      /^::error file=config\/crd\/bases\/web\.example\.com_sites\.yaml,title=manifests\/out-of-date::/m,
    );
    expect(output).toMatch(
      /^::error file=src\/api\/web\/v1\/site\.ts,line=\d+,col=\d+,title=breaking%3A type-changed::/m,
    );
    expect(output).toMatch(
      /^::error file=config\/rbac\/role\.yaml,line=\d+,col=\d+,title=widened::.*: list: secrets$/m,
    );
    expect(calls).toHaveLength(3);
  });

  test('fails as its inputs say, and accepts changes of a file', async () => {
    edit(kind, (before) => before.replace('host: string', 'host: boolean'));
    const quiet = await run({ 'fail-on': 'none', checks: 'crd' });
    expect(quiet.code, quiet.output).toBe(0);
    expect(quiet.output).toMatch(/^::error /m);
    const waiver = {
      code: 'type-changed',
      crd: 'sites.web.example.com',
      path: '.spec.host',
      reason: 'x',
      until: '2999-12-31',
    };
    writeFileSync(join(cwd, 'accepted changes.yaml'), JSON.stringify({ waivers: [waiver] }));
    const accepted = await run({ checks: 'crd', waivers: 'accepted changes.yaml' });
    expect(accepted.code, accepted.output).toBe(0);
    expect(accepted.output).toMatch(/^::notice .*title=waived%3A type-changed::/m);
    expect(calls.at(-1)).toContain('accepted changes.yaml');
  });

  test('checks the chart of a project that has one', async () => {
    await opSdk('generate', 'helm');
    const passed = await run({ checks: 'manifests, chart' });
    expect(passed.code, passed.output).toBe(0);
    edit('config/manager/manager.yaml', (before) => before.replace('replicas: 1', 'replicas: 2'));
    const { code, output } = await run({ checks: 'chart' });
    expect(code, output).toBe(1);
    expect(output).toMatch(/^::error file=chart\/values\.yaml,title=manifests\/out-of-date::/m);
  });

  test('with the first kind has nothing to be compared with', async () => {
    git('rm', '--quiet', '-r', 'config/crd/bases', 'config/rbac/role.yaml');
    git('commit', '--quiet', '-m', 'before');
    const before = git('rev-parse', 'HEAD').trim();
    git('reset', '--quiet', '--hard', base);
    const { code, output } = await run({ base: before });
    expect(code, output).toBe(0);
    expect(output).toContain('::notice title=op-sdk::nothing to compare: the base has no config/crd/bases\n');
    expect(calls).toHaveLength(1);
  });

  test('whose base was not fetched fails with the fix', async () => {
    const { code, output } = await run({ base: 'origin/main', checks: 'rbac' });
    expect(code).toBe(1);
    expect(output).toMatch(
      /^::error title=diff\/git-failed::.*unknown commit.*%0AFix: fetch it: git fetch origin main/m,
    );
  });
});

describe('inputs', () => {
  test('that are invalid are all named, and nothing runs', async () => {
    const { code, output } = await run({ checks: 'crd,100%', 'fail-on': 'widened\n::add-mask::x', base: '' });
    expect(code).toBe(1);
    expect(output.split('\n')).toEqual([
      '::error title=op-sdk::checks: expected manifests, chart, crd or rbac, got 100%25',
      '::error title=op-sdk::fail-on: expected breaking, any or none, got widened%0A::add-mask::x',
      '::error title=op-sdk::base: expected a commit, a branch or a tag, got none, as this is no pull request',
      '',
    ]);
    expect((await run({ checks: ' , ' })).output).toContain('got none');
    expect(calls).toEqual([]);
  });

  test('need no base where nothing is compared', async () => {
    expect((await run({ checks: 'manifests', base: '' })).code).toBe(0);
  });

  test.each([
    '$(touch pwned)',
    '`touch pwned`',
    '"; touch pwned #',
    "'; touch pwned #",
    '*',
    '-x; touch pwned',
  ])('are never commands: %s', async (hostile) => {
    for (const name of ['base', 'checks', 'fail-on', 'waivers'])
      expect((await run({ [name]: hostile, ...(name === 'checks' ? {} : { checks: 'crd' }) })).code).toBe(1);
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
  });
});
