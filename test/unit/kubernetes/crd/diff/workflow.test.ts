// The workflow of the guide: its commands are run as the shell of a runner would, in a checkout of a pull request.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { jsonListOf, jsonMapOf, jsonTextOf } from '../../../../../src/base/util/json-map.ts';
import { readGuide } from '../../../../helpers/guide.ts';
import { runCli } from '../../../../helpers/run-cli.ts';

const golden = join(import.meta.dirname, '../../../../golden/crd-diff/enum');
const path = '.github/workflows/crd-diff.yaml';
const guide = readFileSync(join(import.meta.dirname, '../../../../../docs/crd/diff.md'), 'utf8');
const workflow = readGuide(guide).find((step) => step.kind === 'file' && step.path === path);

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'op-sdk-diff-'));
});
afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
});

/** What the job runs. */
function commands(): readonly { readonly script: string; readonly env: readonly string[] }[] {
  // GitHub reads YAML 1.2, in which `on` is text.
  const value: unknown = parse(workflow?.kind === 'file' ? workflow.content : '');
  expect(jsonMapOf(value)['on']).toBe('pull_request');
  const job = jsonMapOf(jsonMapOf(jsonMapOf(value)['jobs'])['crd-diff']);
  expect(job['runs-on']).toBe('ubuntu-latest');
  return jsonListOf(job['steps'])
    .map(jsonMapOf)
    .filter(({ run }) => jsonTextOf(run).includes('crd diff'))
    .map(({ run, env }) => ({ script: jsonTextOf(run), env: Object.keys(jsonMapOf(env)) }));
}

/** The arguments that a shell gives `npx --no op-sdk`, and what it does with the output. */
function argumentsOf(script: string, base: string): readonly string[] {
  const shell = `npx() { shift 2; for each in "$@"; do printf '%s\\0' "$each"; done; }\n${script}`;
  const summary = join(cwd, 'summary.md');
  const env = { PATH: process.env['PATH'], BASE: base, GITHUB_STEP_SUMMARY: summary };
  const printed = execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', shell], {
    cwd,
    env,
    encoding: 'utf8',
  });
  const text = script.includes('GITHUB_STEP_SUMMARY') ? readFileSync(summary, 'utf8') : printed;
  return text.split('\0').slice(0, -1);
}

test('compares the sources with the base branch', async () => {
  const bases = join(cwd, 'config/crd/bases');
  const git = (...args: readonly string[]): void => {
    const identity = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgsign=false'];
    execFileSync('git', [...identity.flatMap((each) => ['-c', each]), ...args], { cwd, stdio: 'pipe' });
  };
  git('init', '--quiet', '--initial-branch=topic');
  mkdirSync(bases, { recursive: true });
  cpSync(join(golden, 'old.yaml'), join(bases, 'sites.yaml'));
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  cpSync(join(golden, 'new.yaml'), join(bases, 'sites.yaml'));
  const [annotate, summarize] = commands();
  for (const { env } of commands()) expect(env).toEqual(['BASE']);
  const run = (script = '') => {
    const args = argumentsOf(script, 'main');
    expect(args.slice(0, 4)).toEqual(['crd', 'diff', 'git:origin/main', 'project']);
    // What the sources generate is another test's matter, and takes a compiler.
    return runCli(
      args.map((each) => (each === 'project' ? 'config/crd/bases' : each)),
      { cwd, env: { ...process.env, GITHUB_WORKSPACE: cwd } },
    );
  };
  const annotated = await run(annotate?.script);
  expect(annotated.code).toBe(1);
  expect(annotated.stdout).toContain('::error file=config/crd/bases/sites.yaml,line=');
  const summary = await run(summarize?.script);
  expect(summary.code).toBe(0);
  expect(summary.stdout).toBe(readFileSync(join(golden, 'diff.md'), 'utf8'));
});

test('the name of a branch is never a command', () => {
  const base = 'release/$(touch pwned)`touch pwned`;"1';
  for (const { script } of commands()) expect(argumentsOf(script, base)).toContain(`git:origin/${base}`);
  expect(existsSync(join(cwd, 'pwned'))).toBe(false);
});
