// What only processes of their own can show: what a run loads, and a watch that goes on until it is told to end.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const opSdk = fileURLToPath(new URL('../../bin/op-sdk.js', import.meta.url));
let root = '';
let project = '';

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
};
const crd = (plural: string): string => join(project, 'config/crd/bases', `cache.example.com_${plural}.yaml`);

const kind = (
  name: string,
  fields: string,
): string => `import { defineResource, type CustomResource } from 'opsdk';
import type { Part } from '#shared/part.ts';
export interface ${name}Spec { ${fields}; part?: Part }
export interface ${name} extends CustomResource { spec: ${name}Spec }
export const ${name} = defineResource<${name}>({ group: 'cache.example.com', version: 'v1', kind: '${name}' });
`;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-generate-')));
  project = join(root, 'project');
  write(
    'PROJECT',
    'domain: example.com\nlayout:\n- typescript.opsdk.dev/v1\nmultigroup: true\nprojectName: sample\nversion: "3"\n',
  );
  write('package.json', '{ "type": "module", "imports": { "#shared/*": "./shared/*" } }');
  write('tsconfig.json', '{ "compilerOptions": { "module": "nodenext" } }');
  write('shared/part.ts', 'export interface Part { name: string }');
  write('src/api/alpha.ts', kind('Alpha', 'size?: string'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the cache', () => {
  /** Runs `generate manifests` and tells which packages were loaded. */
  async function generate(...flags: string[]): Promise<{ readonly loaded: string; readonly stdout: string }> {
    const [preload, report] = [join(root, 'preload.mjs'), join(root, 'loaded.json')];
    writeFileSync(
      preload,
      `import Module from 'node:module';
import { writeFileSync } from 'node:fs';
process.on('exit', () => writeFileSync(${JSON.stringify(report)}, JSON.stringify(Object.keys(Module._cache))));
`,
    );
    const env = { ...process.env, XDG_CACHE_HOME: join(root, 'cache'), OPSDK_NO_CACHE: '' };
    const args = ['--import', preload, opSdk, 'generate', 'manifests', ...flags];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: project, env });
    // V8 itself complains there of flags that it does not know.
    expect(stderr).not.toContain('flag');
    return { loaded: readFileSync(report, 'utf8'), stdout };
  }

  test('a second run loads no compiler, and says and writes the same', async () => {
    // As `init` writes it: what it says is an output.
    write('src/generated/rbac.ts', 'export const permissions = [];');
    const first = await generate('--stdout');
    expect(first.loaded).toContain('/typescript/');
    const second = await generate('--stdout');
    expect(second.loaded).not.toMatch(/typescript|ts-json-schema-generator|handlebars/);
    expect(second.stdout).toBe(first.stdout);
    expect((await generate()).loaded).not.toContain('/typescript/');
    expect(first.stdout).toContain(readFileSync(crd('alphas'), 'utf8'));
    expect((await generate('--check')).loaded).not.toContain('/typescript/');
    rmSync(crd('alphas'));
    await expect(generate('--check')).rejects.toThrow('cache.example.com_alphas.yaml is missing');
    expect((await generate('--no-cache')).loaded).toContain('/typescript/');
  });

  test('a change is seen at once, and what failed is not remembered', async () => {
    await generate();
    write('shared/part.ts', 'export interface Part { name: string; zone?: string }');
    await generate();
    expect(readFileSync(crd('alphas'), 'utf8')).toContain('zone:');
    write('src/api/alpha.ts', kind('Alpha', 'size?: number'));
    await expect(generate()).rejects.toThrow('schema/plain-number');
    await expect(generate()).rejects.toThrow('schema/plain-number');
  });
});

describe('--watch', () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  /** Starts a watch; `runs(n)` waits until `n` runs are done and returns all that was said. */
  function watch(): { readonly runs: (count: number) => Promise<string>; readonly process: ChildProcess } {
    const started = spawn(process.execPath, [opSdk, 'generate', 'manifests', '--watch'], {
      cwd: project,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    let said = '';
    started.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    const runs = async (count: number): Promise<string> => {
      await vi.waitFor(
        () => expect(said.split('waiting for changes').length - 1, said).toBeGreaterThanOrEqual(count),
        { timeout: 120_000, interval: 20 },
      );
      return said;
    };
    return { runs, process: started };
  }

  const contentOf = (plural: string): string =>
    existsSync(crd(plural)) ? readFileSync(crd(plural), 'utf8') : '';
  const eventually = (check: () => void): Promise<void> =>
    vi.waitFor(check, { timeout: 120_000, interval: 20 });

  test('sees sources, imports, settings, new and deleted files; outlives errors; ends with 0', async () => {
    const watching = watch();
    await watching.runs(1);
    expect(contentOf('alphas')).toContain('size:');

    write('src/api/alpha.ts', kind('Alpha', 'colour?: string'));
    await eventually(() => expect(contentOf('alphas')).toContain('colour:'));

    // As editors save: a new file in the place of the old one.
    write('shared/.part.tmp', 'export interface Part { zone: string }');
    renameSync(join(project, 'shared/.part.tmp'), join(project, 'shared/part.ts'));
    await eventually(() => expect(contentOf('alphas')).toContain('zone:'));

    write('src/api/deep/beta.ts', kind('Beta', 'size?: string'));
    await eventually(() => expect(contentOf('betas')).toContain('kind: Beta'));
    rmSync(join(project, 'src/api/deep'), { recursive: true });
    await eventually(() => expect(contentOf('betas')).toBe(''));

    write('src/api/alpha.ts', kind('Alpha', 'size?: number'));
    await eventually(() => expect(contentOf('alphas')).toContain('colour:'));
    await vi.waitFor(async () => expect(await watching.runs(1)).toContain('schema/plain-number'), {
      timeout: 120_000,
      interval: 20,
    });
    write('src/api/alpha.ts', kind('Alpha', 'height?: string'));
    await eventually(() => expect(contentOf('alphas')).toContain('height:'));

    write('package.json', '{ "type": "module", "imports": { "#shared/*": "./other/*" } }');
    write('other/part.ts', 'export interface Part { elsewhere: string }');
    await eventually(() => expect(contentOf('alphas')).toContain('elsewhere:'));

    watching.process.kill('SIGTERM');
    expect(await once(watching.process, 'close')).toEqual([0, null]);
  });

  test('Ctrl-C ends it with 0, and it goes with nothing that ends by itself', async () => {
    const watching = watch();
    await watching.runs(1);
    watching.process.kill('SIGINT');
    expect(await once(watching.process, 'close')).toEqual([0, null]);
    const args = [opSdk, 'generate', 'manifests', '--watch', '--check', '--dry-run'];
    const run = promisify(execFile)(process.execPath, args, { cwd: project });
    await expect(run).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /--watch and --check exclude[\s\S]*--watch and --dry-run exclude/,
      ) as string,
    });
  });
});
