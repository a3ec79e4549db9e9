import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { opsdkDependency } from '../../../../src/project/scaffold/index.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'opsdk-dependency-'));
});
afterEach(() => rm(root, { recursive: true }));

/** An installed package, with npm's record of where it came from. */
async function installed(resolved?: string): Promise<string> {
  const folder = join(root, 'node_modules', 'opsdk');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'opsdk', version: '1.2.3' }));
  if (resolved !== undefined) {
    const lock = { packages: { 'node_modules/opsdk': { version: '1.2.3', resolved } } };
    await writeFile(join(root, 'node_modules', '.package-lock.json'), JSON.stringify(lock));
  }
  return folder;
}

const dependency = (packageRoot: string, requested?: string, env = process.env) =>
  opsdkDependency({
    packageRoot,
    requested,
    name: 'opsdk',
    version: '1.2.3',
    env,
    signal: new AbortController().signal,
  });

describe('opsdkDependency', () => {
  it('takes what was asked for', async () => {
    expect(await dependency('/nowhere', 'next')).toEqual({ spec: 'next' });
  });

  it('is the version of a package that a registry gave', async () => {
    const folder = await installed('https://registry.example.com/npm/opsdk/-/opsdk-1.2.3.tgz');
    expect(await dependency(`${folder}/`)).toEqual({ spec: '^1.2.3' });
  });

  it.each([undefined, 'file:../opsdk-1.2.3.tgz', 'https://example.com/downloads/opsdk-1.2.3.tgz'])(
    'is the package itself, packed, when it came from %s',
    async (resolved) => {
      const { spec, tarball } = await dependency(await installed(resolved));
      expect(spec).toBe('file:.op-sdk/opsdk-1.2.3.tgz');
      expect(tarball?.path).toBe('.op-sdk/opsdk-1.2.3.tgz');
      // The two bytes that every gzip file begins with.
      expect([...(tarball?.content.slice(0, 2) ?? [])]).toEqual([0x1f, 0x8b]);
    },
  );

  it("gives npm's own reason where npm cannot pack", async () => {
    const folder = await installed();
    await writeFile(join(folder, 'package.json'), '{ "name": "opsdk", ');
    const failure = dependency(folder);
    await expect(failure).rejects.toMatchObject({ code: 'scaffold/pack-failed' });
    await expect(failure).rejects.toThrow(/EJSONPARSE|JSON/);
    await expect(failure).rejects.not.toThrow(/no archive|complete log/);
  });

  it('says what to do where it cannot pack itself', async () => {
    await expect(dependency(await installed(), undefined, { PATH: '/nowhere' })).rejects.toMatchObject({
      findings: [
        { code: 'scaffold/pack-failed', fix: [expect.stringContaining('--opsdk'), expect.anything()] },
      ],
    });
  });
});
