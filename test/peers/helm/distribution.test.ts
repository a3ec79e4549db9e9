// Packages of a chart beside those of Helm, and the ways from a project to the people who install it: a registry, and a repository of files.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startRegistry } from '../../../scripts/lib/registry.mjs';
import { packageChart } from '../../../src/project/chart/index.ts';
import { createRandom } from '../../helpers/random.ts';
import { ScaffoldedProjects, type ScaffoldedProject } from '../../helpers/scaffolded-project.ts';
import { runs } from '../../helpers/thorough.ts';
import { helms, missing, programOf, runHelm, serveFolder, type HelmProgram } from './helm.ts';

interface TarFile {
  readonly path: string;
  readonly mode: string;
  readonly content: string;
}

/** Returns the entries of a gzipped tar archive in their order. */
function entriesOf(bytes: Buffer): readonly TarFile[] {
  const archive = gunzipSync(bytes);
  const text = (from: number, length: number): string =>
    archive.toString('utf8', from, from + length).replace(/\0.*$/s, '');
  const found: TarFile[] = [];
  let longPath: string | undefined;
  for (let at = 0; at < archive.length && archive[at] !== 0;) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    const content = archive.toString('utf8', at + 512, at + 512 + size);
    const prefix = text(at + 345, 155);
    const path = longPath ?? (prefix === '' ? text(at, 100) : `${prefix}/${text(at, 100)}`);
    // Names that are not ASCII are in a header in front of the file's own.
    const isHeader = text(at + 156, 1) === 'x';
    longPath = isHeader ? /^\d+ path=(.*)$/m.exec(content)?.[1] : undefined;
    if (!isHeader) found.push({ path, mode: text(at + 100, 8), content });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

describe.skipIf(missing !== undefined)('a chart on its way to others', () => {
  const projects = new ScaffoldedProjects();
  let scratch: string;
  let project: ScaffoldedProject;
  const generate = ['generate', 'helm'];

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'op-sdk-charts-'));
    project = await projects.create();
    await project.done(generate);
  });
  afterAll(() => {
    projects.remove();
    rmSync(scratch, { recursive: true, force: true });
  });

  const helm = (program: HelmProgram, ...args: readonly string[]): Promise<string> =>
    runHelm(program, args, { folder: scratch });

  function packagedByHelm(program: HelmProgram, chart: string): readonly TarFile[] {
    const output = mkdtempSync(join(scratch, 'package-'));
    const text = execFileSync(programOf(program), ['package', chart, '--destination', output], {
      stdio: 'pipe',
      encoding: 'utf8',
    });
    return entriesOf(readFileSync(text.trim().split(': ').at(-1) ?? ''));
  }

  test.each(helms)('has the package of %s', async (program) => {
    project.write('chart/README.md', '\uFEFF# Cache\n');
    project.write('chart/templates/.draft.yaml', 'kind: None\n');
    project.write('chart/files/a/b.txt', 'b');
    project.write('chart/files/a.txt', 'a');
    project.write('chart/files/a-b', '');
    const packed = await packageChart(project.folder, 'chart', []);
    expect(entriesOf(packed.bytes)).toEqual(packagedByHelm(program, join(project.folder, 'chart')));
    expect(entriesOf(packed.bytes).map(({ path }) => path)).not.toContain(
      'cache-operator/.op-sdk/output.json',
    );
  });

  const names = ['a', 'b', 'a.b', '-', 'ab', 'a-b', '.x', 'templates', 'x]', 'ä'];
  const parts = [
    'a',
    'b',
    '*',
    '?',
    '[ab]',
    '[^a]',
    '[a-c]',
    '[!a]',
    String.raw`\-`,
    '.',
    '/',
    '!',
    '-',
    ' ',
    'ä',
    String.raw`[\]x]`,
  ];

  test('leaves out what Helm leaves out', async () => {
    for (let seed = 1; seed <= runs(100); seed++) {
      const random = createRandom(seed);
      const folder = mkdtempSync(join(scratch, 'ignore-'));
      const pattern = (): string =>
        Array.from({ length: random.integer(1, 4) }, () => random.pick(parts)).join('');
      const lines = Array.from({ length: random.integer(1, 3) }, pattern).filter(
        (line) => !line.startsWith('!') || random.chance(0.3),
      );
      const files: Record<string, string> = {
        'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
        '.helmignore': `# ours\n${lines.join('\n')}\n`,
      };
      for (let count = 8; count > 0; count--)
        files[
          [`f${count}`, random.pick(names), random.pick(names), random.pick(names)]
            .slice(random.integer(0, 1))
            .join('/')
        ] = 'x';
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, 'web', path)), { recursive: true });
        writeFileSync(join(folder, 'web', path), content);
      }
      let theirs: readonly string[] | string;
      try {
        theirs = packagedByHelm('helm4', join(folder, 'web')).map(({ path }) => path);
      } catch {
        theirs = 'refused';
      }
      const ours = await packageChart(folder, 'web', []).then(
        ({ bytes }) => entriesOf(bytes).map(({ path }) => path),
        () => 'refused',
      );
      expect({ seed, lines, files: ours }).toEqual({ seed, lines, files: theirs });
    }
  });

  test('is pulled from a registry as it was pushed', async () => {
    await using registry = await startRegistry();
    const push = [...generate, '--package', '--push', `oci://${registry.host}/charts`];
    const { stdout } = await project.done(push);
    expect(stdout).toMatch(
      new RegExp(String.raw`^${registry.host}/charts/\S+:0\.0\.1@sha256:[0-9a-f]{64}\n$`),
    );
    const repeated = await project.done(push);
    expect(repeated.stdout).toBe(stdout);
    const name = /charts\/(.*?):/.exec(stdout)?.[1] ?? '';
    const packed = readFileSync(join(project.folder, `dist/${name}-0.0.1.tgz`));
    for (const program of helms) {
      const folder = mkdtempSync(join(scratch, 'pull-'));
      await helm(
        program,
        'pull',
        `oci://${registry.host}/charts/${name}`,
        '--plain-http',
        '--destination',
        folder,
      );
      expect(readFileSync(join(folder, `${name}-0.0.1.tgz`)).equals(packed)).toBe(true);
    }
    // Beside what Helm pushes, except for the time.
    await helm(
      'helm4',
      'push',
      join(project.folder, `dist/${name}-0.0.1.tgz`),
      `oci://${registry.host}/theirs`,
      '--plain-http',
    );
    const manifest = (repository: string): unknown => {
      const digest = registry.tags.get(`${repository}/${name}:0.0.1`) ?? '';
      const { schemaVersion, config, layers, annotations } = JSON.parse(
        registry.manifests.get(`${repository}/${name}@${digest}`)?.bytes.toString() ?? '',
      ) as Record<string, Record<string, unknown>>;
      const { 'org.opencontainers.image.created': _created, ...timeless } = annotations ?? {};
      const settings: unknown = JSON.parse(
        registry.blobs.get(`${repository}/${name}@${String(config?.['digest'])}`)?.toString() ?? '',
      );
      return { schemaVersion, type: config?.['mediaType'], layers, annotations: timeless, settings };
    };
    expect(manifest('charts')).toEqual(manifest('theirs'));
  });

  test('is found in a repository of files, and installed from there', async () => {
    const folder = join(scratch, 'public');
    await using server = await serveFolder(folder);
    const { url } = server;
    const publish = [...generate, '--repository-index', folder, '--url', url];
    for (const version of ['0.9.0', '0.10.0', '0.10.0-rc.1'])
      await project.done([...publish, '--version', version]);
    const index = readFileSync(join(folder, 'index.yaml'), 'utf8');
    expect([...index.matchAll(/^ {4}version: (.*)$/gm)].map(([, version]) => version)).toEqual([
      '0.10.0',
      '0.10.0-rc.1',
      '0.9.0',
    ]);
    await project.done([...publish, '--version', '0.9.0']);
    expect(readFileSync(join(folder, 'index.yaml'), 'utf8')).toBe(index);
    // Helm's own index of the same files.
    const theirs = join(scratch, 'theirs');
    cpSync(folder, theirs, { recursive: true, filter: (path) => !path.endsWith('index.yaml') });
    await helm('helm4', 'repo', 'index', theirs, '--url', url);
    const timeless = (text: string): string => text.replaceAll(/(created|generated): .*/g, '$1');
    expect(timeless(index)).toBe(timeless(readFileSync(join(theirs, 'index.yaml'), 'utf8')));
    const name = /^ {2}(\S+):$/m.exec(index)?.[1] ?? '';
    for (const program of helms) {
      await helm(program, 'repo', 'add', 'ours', url);
      expect(await helm(program, 'search', 'repo', 'ours')).toMatch(
        new RegExp(`^ours/${name}\\s+0\\.10\\.0\\s`, 'm'),
      );
      expect(await helm(program, 'template', 'cache', `ours/${name}`, '--version', '0.9.0')).toContain(
        `helm.sh/chart: ${name}-0.9.0`,
      );
      // Helm 3 asks the cluster for its version even then.
      if (program === 'helm3') continue;
      const install = await helm(program, 'install', 'cache', `ours/${name}`, '--dry-run=client');
      expect(install).toContain(`helm.sh/chart: ${name}-0.10.0`);
    }
  });
});
