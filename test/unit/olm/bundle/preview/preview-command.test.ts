// What `op-sdk bundle preview` serves and writes.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { servePreview } from '../../../../../src/cli/commands/bundle-preview.ts';
import { createReporter } from '../../../../../src/cli/ui/reporter.ts';
import { runCli, type CliRun } from '../../../../helpers/run-cli.ts';
import { hubFolder } from '../publish/hub-bundle.ts';
import { twoVersions } from './shown-bundle.ts';

const preview = (cwd: string, ...args: readonly string[]): Promise<CliRun> =>
  runCli(['bundle', 'preview', ...args], { cwd });

describe('--output-dir', () => {
  test('pages without scripts; a second run changes nothing, a change of the bundle replaces them', async () => {
    const cwd = hubFolder();
    const run = await preview(cwd, '--output-dir', 'docs/operator', '-ojson');
    expect(run.code, run.stderr).toBe(0);
    const files = ['docs/operator/index.html', 'docs/operator/page.css'];
    expect(JSON.parse(run.stdout)).toMatchObject({
      result: { files: files.map((path) => ({ action: 'create', path })) },
    });
    expect(readFileSync(join(cwd, 'docs/operator/index.html'), 'utf8')).not.toContain('<script');
    const again = await preview(cwd, '--output-dir', 'docs/operator');
    expect([again.code, again.stderr]).toEqual([0, '2 unchanged\n']);
    edit(cwd, 'Runs sites of many kinds.', 'Runs other sites.');
    expect((await preview(cwd, '--output-dir', 'docs/operator')).code).toBe(0);
    expect(readFileSync(join(cwd, 'docs/operator/index.html'), 'utf8')).toContain('Runs other sites.');
  });

  test('files of others stay, all of them are named, and nothing is written', async () => {
    const cwd = hubFolder();
    mkdirSync(join(cwd, 'docs'));
    for (const name of ['index.html', 'page.css']) writeFileSync(join(cwd, 'docs', name), 'mine');
    const run = await preview(cwd, '--output-dir', 'docs');
    expect(run.code).toBe(1);
    for (const name of ['index.html', 'page.css']) {
      expect(run.stderr).toContain(
        `docs/${name} exists already, and was not written by op-sdk bundle preview`,
      );
      expect(readFileSync(join(cwd, 'docs', name), 'utf8')).toBe('mine');
    }
  });

  test('--dry-run writes nothing', async () => {
    const cwd = hubFolder();
    const run = await preview(cwd, '--output-dir', 'docs', '--dry-run');
    expect([run.code, existsSync(join(cwd, 'docs'))]).toEqual([0, false]);
    expect(await preview(cwd, '--dry-run')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('add --output-dir'),
    });
  });

  test('--select-optional adds the findings of other validators', async () => {
    const cwd = hubFolder(({ csv }) => (csv.metadata.annotations.capabilities = 'Perfect'));
    const code = '<code>bundle/capability-level</code>';
    const shown = async (...flags: readonly string[]): Promise<string> => {
      expect((await preview(cwd, '--output-dir', 'docs', ...flags)).code).toBe(0);
      return readFileSync(join(cwd, 'docs/index.html'), 'utf8');
    };
    expect(await shown()).not.toContain(code);
    expect(await shown('--select-optional', 'capabilities')).toContain(code);
  });

  test('every folder that is missing is named', async () => {
    const run = await preview(hubFolder(), 'one', 'two', '--output-dir', 'docs');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('one does not exist');
    expect(run.stderr).toContain('two does not exist');
  });

  test('a bundle that cannot be read is a page with its findings', async () => {
    const cwd = hubFolder();
    rmSync(join(cwd, 'bundle/manifests/csv.yaml'));
    expect((await preview(cwd, '--output-dir', 'docs')).code).toBe(0);
    const html = readFileSync(join(cwd, 'docs/index.html'), 'utf8');
    expect(html).toContain('<code>bundle/no-csv</code>');
    // Nothing is said of what was not read.
    expect(html).not.toContain('permissions');
  });

  test('pages of bundles with one name have names of their own', async () => {
    const cwd = twoVersions();
    expect((await preview(cwd, 'v1', 'v2', 'v1', '--output-dir', 'docs')).code).toBe(0);
    expect(readdirSync(join(cwd, 'docs'))).toContain('web-operator.v0.1.0-2.html');
  });
});

describe('the pages that are served', () => {
  test('follow the bundle, also while it has no folder', async () => {
    const cwd = hubFolder();
    const { url, end, log } = await serve(cwd);
    const html = await (await fetch(url)).text();
    expect(html).toContain('Runs sites of many kinds.');
    expect(html).toContain('<script type="module" src="page.js">');
    for (const [file, type] of [
      ['page.css', 'text/css'],
      ['page.js', 'text/javascript'],
      ['index.html', 'text/html'],
    ] as const)
      expect((await fetch(url + file)).headers.get('content-type')).toContain(type);
    expect((await fetch(`${url}../../package.json`)).status).toBe(403);
    expect((await fetch(`${url}csv.yaml`)).status).toBe(404);

    const events = await states(`${url}stream`);
    const [, first] = /data-state="(\w+)"/.exec(html) ?? [];
    await vi.waitFor(() => expect(events).toEqual([first]));
    edit(cwd, 'Runs sites of many kinds.', 'Runs other sites.');
    await vi.waitFor(() => expect(events).toHaveLength(2), { timeout: 10_000 });
    expect(await (await fetch(url)).text()).toContain('Runs other sites.');

    const csv = readFileSync(join(cwd, 'bundle/manifests/csv.yaml'));
    rmSync(join(cwd, 'bundle'), { recursive: true });
    await vi.waitFor(() => expect(log.join('')).toContain('bundle does not exist'), { timeout: 10_000 });
    expect((await fetch(url)).status).toBe(200);
    mkdirSync(join(cwd, 'bundle/manifests'), { recursive: true });
    mkdirSync(join(cwd, 'bundle/metadata'));
    writeFileSync(join(cwd, 'bundle/manifests/csv.yaml'), csv);
    await vi.waitFor(() => expect(events.length).toBeGreaterThan(2), { timeout: 10_000 });
    expect(await end()).toMatchObject({ url });
    await expect(fetch(url)).rejects.toThrow();
  });

  test('a folder that is missing at the start fails the command', async () => {
    expect(await preview(hubFolder(), 'missing')).toMatchObject({ code: 2, stdout: '' });
  });
});

function edit(cwd: string, before: string, after: string): void {
  const file = join(cwd, 'bundle/manifests/csv.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(before, after));
}

async function serve(cwd: string) {
  const ended = new AbortController();
  const log: string[] = [];
  const report = createReporter({ write: (text) => void log.push(text), colors: false }, { quiet: false });
  const served = servePreview({ cwd, report, signal: ended.signal }, ['bundle']);
  const end = () => {
    ended.abort();
    return served;
  };
  onTestFinished(async () => void (await end()));
  const url = await vi.waitFor(() => {
    const [found] = /http:\S+/.exec(log.join('')) ?? [];
    if (found === undefined) throw new Error('no address yet');
    return found;
  });
  return { url, end, log };
}

/** What a stream of events says, as it comes. */
async function states(url: string): Promise<readonly string[]> {
  const found: string[] = [];
  const { body } = await fetch(url);
  void (async () => {
    for await (const chunk of body ?? [])
      for (const [, state = ''] of Buffer.from(chunk)
        .toString()
        .matchAll(/data: "(\w+)"/g))
        found.push(state);
  })().catch(() => undefined);
  return found;
}
