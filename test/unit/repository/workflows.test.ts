// The workflows, issue forms and updates of the public repository: what they name is there, and none has more rights than it needs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { supportedNodes } from '../../../scripts/lib/nodes.mjs';
import { addressKeys } from '../../../scripts/lib/release-check.mjs';
import { filesBelow, repositoryRoot } from '../../helpers/source-files.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix?: { readonly node?: readonly string[] } };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Updates {
  readonly updates: readonly {
    readonly 'package-ecosystem': string;
    readonly directory: string;
    readonly ignore?: readonly { readonly 'dependency-name': string }[];
  }[];
}

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly repository?: { readonly url: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const files = filesBelow('.github', () => true);
const workflows = files
  .filter(({ path }) => path.startsWith('.github/workflows/'))
  .map(({ path, text }) => ({ path, text, workflow: parse(text) as Workflow }));
const workflowOf = (name: string): Workflow =>
  workflows.find(({ path }) => path.endsWith(`/${name}`))?.workflow ?? expect.fail(`${name} is missing`);

const stepsOf = ({ jobs }: Workflow): readonly Step[] => Object.values(jobs).flatMap(({ steps }) => steps);
const actionOf = ({ uses = '' }: Step): string => uses.replace(/@.*/, '');

test('there are workflows for changes, for security and for releases', () => {
  expect(workflows.map(({ path }) => path)).toEqual(
    ['ci', 'codeql', 'release'].map((name) => `.github/workflows/${name}.yml`),
  );
});

describe.each(workflows)('$path', ({ workflow }) => {
  test('grants rights explicitly, and stops an older run or waits for it', () => {
    expect(workflow.permissions).toBeDefined();
    expect(Object.values(workflow.permissions ?? {})).not.toContain('write');
    expect(workflow.concurrency).toBeDefined();
  });

  test('has a limit of time for each job', () => {
    for (const [name, job] of Object.entries(workflow.jobs))
      expect(job['timeout-minutes'], name).toBeGreaterThan(0);
  });

  test('leaves no credentials in the checkout', () => {
    for (const step of stepsOf(workflow).filter((each) => actionOf(each) === 'actions/checkout'))
      expect(step.with?.['persist-credentials']).toBe(false);
  });

  test('puts no expression into a script, which would be read as shell', () => {
    for (const { run = '' } of stepsOf(workflow)) expect(run).not.toContain('${{');
  });

  test('names actions by a tag that dependabot moves', () => {
    for (const { uses } of stepsOf(workflow).filter((step) => step.uses !== undefined))
      expect(uses).toMatch(/^[\w.-]+\/[\w./-]+@v\d+$/);
  });

  test('runs scripts and files that are there', () => {
    const runs = stepsOf(workflow).flatMap(({ run = '' }) => run.split('\n'));
    const scripts = runs.flatMap((run) => [...run.matchAll(/\bnpm (?:run )?([\w:-]+)/g)]);
    for (const [, name = ''] of scripts)
      if (name !== 'ci') expect(Object.keys(manifest.scripts)).toContain(name);
    for (const [, path = ''] of runs.flatMap((run) => [
      ...run.matchAll(/(?<![\w./-])((?:scripts|\.ci)\/[\w./-]+)/g),
    ]))
      expect(existsSync(join(repositoryRoot, path)), path).toBe(true);
  });

  test('sets up supported Nodes', () => {
    const versions = Object.values(workflow.jobs).flatMap(({ steps, strategy }) =>
      steps
        .filter((step) => actionOf(step) === 'actions/setup-node')
        .flatMap((step) => {
          const version = String(step.with?.['node-version']);
          return version === '${{ matrix.node }}' ? (strategy?.matrix?.node ?? []) : [version];
        }),
    );
    for (const version of versions) expect(supportedNodes).toContain(version);
  });
});

test('changes are tested on every supported Node', () => {
  expect(workflowOf('ci.yml').jobs['test']?.strategy?.matrix?.node).toEqual(supportedNodes);
});

test('a job that may write has exactly what it needs', () => {
  const writes = workflows.flatMap(({ workflow }) =>
    Object.entries(workflow.jobs).flatMap(([name, { permissions = {} }]) =>
      Object.entries(permissions)
        .filter(([, access]) => access === 'write')
        .map(([scope]) => `${name}: ${scope}`),
    ),
  );
  expect(writes).toEqual(['analyze: security-events', 'publish: id-token', 'announce: contents']);
});

test('the job that publishes installs no dependency and builds nothing', () => {
  const { steps } = workflowOf('release.yml').jobs['publish'] ?? expect.fail('no job publish');
  expect(steps.flatMap(({ run }) => (run === undefined ? [] : [run]))).toEqual([
    'node scripts/publish.mjs "${GITHUB_REF_NAME#v}" --packed release',
  ]);
});

describe('addresses and digests', () => {
  const documents = [...files, { path: 'CODE_OF_CONDUCT.md', text: read('CODE_OF_CONDUCT.md') }];
  const page = manifest.repository && addressKeys(manifest.repository).homepage.replace(/#.*/, '');

  test.each(documents)('$path names no address that does not follow from `repository`', ({ text }) => {
    const addresses = [...text.matchAll(/https?:\/\/[^\s)'"]+/g)].map(([address]) => address);
    expect(addresses.filter((address) => page === undefined || !address.startsWith(page))).toEqual([]);
  });

  test.each(documents)('$path names no digest', ({ text }) => {
    expect(text).not.toMatch(/\b[0-9a-f]{40,}\b/);
  });
});

describe('dependabot', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as Updates;

  test('updates each package and the actions', () => {
    expect(updates.map((each) => `${each['package-ecosystem']} ${each.directory}`)).toEqual([
      'npm /',
      'npm /create-opsdk',
      'github-actions /',
    ]);
    for (const { 'package-ecosystem': ecosystem, directory } of updates)
      if (ecosystem === 'npm')
        expect(existsSync(join(repositoryRoot, directory, 'package.json')), directory).toBe(true);
  });

  test('holds back only dependencies that exist, each with its reason', () => {
    const known = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const names = updates.flatMap(({ ignore = [] }) => ignore.map((each) => each['dependency-name']));
    expect(names.length).toBeGreaterThan(4);
    expect(known).toEqual(expect.arrayContaining(names));
    const reasons = read('.github/dependabot.yml').match(/# [^\n]+\n +- dependency-name:/g);
    expect(reasons).toHaveLength(names.length);
  });
});

test.each(files.filter(({ path }) => /ISSUE_TEMPLATE\/(?!config)/.test(path)))(
  '$path is a form of fields with labels',
  ({ text }) => {
    const form = parse(text) as {
      readonly name: string;
      readonly description: string;
      readonly body: readonly {
        readonly type: string;
        readonly id?: string;
        readonly attributes: { label?: string };
      }[];
    };
    expect([form.name, form.description].every((part) => part.length > 2)).toBe(true);
    const fields = form.body.filter(({ type }) => type !== 'markdown');
    const ids = fields.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, attributes } of fields) expect([id, attributes.label]).not.toContain(undefined);
  },
);
