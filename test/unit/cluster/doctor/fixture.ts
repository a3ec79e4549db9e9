import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { Check } from '../../../../src/cluster/doctor/check.ts';
import { diagnose, type CheckResult, checks } from '../../../../src/cluster/doctor/diagnose.ts';
import type { DoctorWorld } from '../../../../src/cluster/doctor/facts.ts';
import { OpSdkError } from '../../../../src/base/errors/index.ts';

export const golden = fileURLToPath(new URL('../../../golden/projects/basic/', import.meta.url));
const ours = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Files by their paths: a text, a change of the scaffold's text, or nothing. */
export type Files = Readonly<Record<string, string | ((text: string) => string) | undefined>>;

/** Folders of one test file, and the ways to look at them. */
export interface DoctorFixture {
  /** A folder with a program `npm` that does nothing, for PATH. */
  readonly tools: () => string;
  /** An empty folder. */
  readonly home: () => string;
  /** The scaffold with all that a person would have added: packages, a lock file, an image of a registry. */
  readonly project: (files?: Files) => string;
  /** What the checks say, by name, of a world without a cluster. */
  readonly results: (
    cwd: string,
    world?: Partial<DoctorWorld>,
    table?: readonly Check[],
  ) => Promise<Record<string, CheckResult>>;
}

/** To be called once at the top of a test file: it makes a folder before all tests, and removes it after them. */
export function doctorFixture(): DoctorFixture {
  let scratch = '';
  const tools = (): string => join(scratch, 'tools');
  beforeAll(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-doctor-')));
    mkdirSync(tools());
    writeFileSync(join(tools(), 'npm'), '', { mode: 0o755 });
  });
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));
  return {
    tools,
    home: () => mkdtempSync(join(scratch, 'home-')),
    project(files = {}) {
      const folder = mkdtempSync(join(scratch, 'project-'));
      fill(folder, files);
      return folder;
    },
    results: (cwd, world = {}, table = checks) => results({ cwd, env: { PATH: tools() }, ...world }, table),
  };
}

function fill(folder: string, files: Files): void {
  cpSync(golden, folder, { recursive: true });
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', object>;
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    mkdirSync(dirname(manifest), { recursive: true });
    writeFileSync(manifest, JSON.stringify({ name, version: ours.version }));
  }
  const all: typeof files = {
    'package-lock.json': '{}',
    'config/manager/kustomization.yaml': (text) =>
      text
        .replace('newName: controller', 'newName: registry.example.com/cache')
        .replace('newTag: latest', 'newTag: v1'),
    ...files,
  };
  for (const [path, change] of Object.entries(all)) {
    const file = join(folder, path);
    if (change === undefined) rmSync(file, { recursive: true, force: true });
    else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof change === 'string' ? change : change(readFileSync(file, 'utf8')));
    }
  }
}

async function results(
  world: Partial<DoctorWorld> & Pick<DoctorWorld, 'cwd' | 'env'>,
  table: readonly Check[],
): Promise<Record<string, CheckResult>> {
  const whole: DoctorWorld = {
    nodeVersion: process.versions.node,
    sdkVersion: ours.version,
    signal: new AbortController().signal,
    connect: () =>
      Promise.reject(new OpSdkError({ code: 'kube/no-cluster', message: 'no cluster is configured' })),
    outdatedManifests: () => Promise.resolve([]),
    registryOf: () => Promise.resolve({ registry: 'registry.example.com', hasCredentials: true }),
    asksForCredentials: () => Promise.resolve(undefined),
    ...world,
  };
  const list = await diagnose(whole, undefined, table);
  return Object.fromEntries(list.map((result) => [result.name, result]));
}
