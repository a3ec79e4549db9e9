import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import semver from 'semver';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { opsdkDependency } from '../../../../src/project/scaffold/index.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'opsdk-dependency-'));
});
afterEach(() => rm(root, { recursive: true }));

/** A package of op-sdk with two files. */
async function packageOf(version: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(root, 'opsdk-'));
  const content = {
    'package.json': JSON.stringify({ name: 'opsdk', version, files: ['bin', 'lib'] }),
    'bin/op-sdk.js': '#!/usr/bin/env node\n',
    ...files,
  };
  for (const [path, text] of Object.entries(content)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const dependency = (packageRoot: string, version: string, requested?: string, env = process.env) =>
  opsdkDependency({ packageRoot, requested, version, env, signal: new AbortController().signal });

const localVersion = /^0\.2\.0-dev\.local-[0-9a-f]{12}$/;

/** Unpacks the archive in a dependency with tar, and returns its folder. */
async function unpacked({ tarball }: Awaited<ReturnType<typeof dependency>>): Promise<string> {
  const folder = await mkdtemp(join(root, 'unpacked-'));
  execFileSync('tar', ['-xz', '-C', folder], { input: tarball?.content ?? '' });
  return join(folder, 'package');
}

describe('opsdkDependency', () => {
  it('takes what was asked for', async () => {
    expect(await dependency('/nowhere', '0.2.0-dev', 'next')).toEqual({ spec: 'next' });
  });

  it('is the version of a release, wherever the package lies and without npm', async () => {
    expect(await dependency('/nowhere', '1.2.3', undefined, { PATH: '/nowhere' })).toEqual({
      spec: '^1.2.3',
    });
  });

  it('is the package itself for a prerelease, packed, with a version of its own', async () => {
    const made = await dependency(await packageOf('0.2.0-dev'), '0.2.0-dev');
    const folder = await unpacked(made);
    const { version, ...rest } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(version).toMatch(localVersion);
    expect(semver.valid(version)).toBe(version);
    expect(rest).toEqual({ name: 'opsdk', files: ['bin', 'lib'] });
    expect(made.spec).toBe(`file:.op-sdk/opsdk-${version}.tgz`);
    expect(made.tarball?.path).toBe(`.op-sdk/opsdk-${version}.tgz`);
    expect(await readFile(join(folder, 'bin/op-sdk.js'), 'utf8')).toBe('#!/usr/bin/env node\n');
    expect((await stat(join(folder, 'bin/op-sdk.js'))).mode & 0o111).toBe(0o111);
  });

  it('has another version for other content, and the same for the same', async () => {
    const specs = await Promise.all(
      [{}, {}, { 'lib/a.js': 'a' }, { 'lib/a.js': 'b' }].map(
        async (files) => (await dependency(await packageOf('0.2.0-dev', files), '0.2.0-dev')).spec,
      ),
    );
    expect(specs[0]).toBe(specs[1]);
    expect(new Set(specs).size).toBe(3);
  });

  it('is the same archive again when the packed package packs itself', async () => {
    const first = await dependency(await packageOf('0.2.0-dev', { 'lib/a.js': 'a' }), '0.2.0-dev');
    const version = first.spec.slice('file:.op-sdk/opsdk-'.length, -'.tgz'.length);
    const second = await dependency(await unpacked(first), version);
    expect(second.spec).toBe(first.spec);
    expect(Buffer.from(second.tarball?.content ?? []).equals(Buffer.from(first.tarball?.content ?? []))).toBe(
      true,
    );
  });

  it('is the same archive from an installed package, without npm and without nested dependencies', async () => {
    const checkout = await packageOf('0.2.0-dev', { 'lib/a.js': 'a', 'notes.txt': 'not packed' });
    const packed = await dependency(checkout, '0.2.0-dev');
    const installed = join(root, 'node_modules', 'opsdk');
    await cp(checkout, installed, { recursive: true, filter: (path) => !path.endsWith('notes.txt') });
    await mkdir(join(installed, 'node_modules', 'semver'), { recursive: true });
    await writeFile(join(installed, 'node_modules', 'semver', 'index.js'), '');
    const { spec, tarball } = await dependency(`${installed}/`, '0.2.0-dev', undefined, { PATH: '/nowhere' });
    expect(spec).toBe(packed.spec);
    expect(Buffer.from(tarball?.content ?? []).equals(Buffer.from(packed.tarball?.content ?? []))).toBe(true);
  });

  it("gives npm's own reason where npm cannot pack", async () => {
    const folder = await packageOf('0.2.0-dev');
    await writeFile(join(folder, 'package.json'), '{ "name": "opsdk", ');
    const failure = dependency(folder, '0.2.0-dev');
    await expect(failure).rejects.toMatchObject({ code: 'scaffold/pack-failed' });
    await expect(failure).rejects.toThrow(/EJSONPARSE|JSON/);
    await expect(failure).rejects.not.toThrow(/no archive|complete log/);
  });

  it('says what to do where it cannot pack itself', async () => {
    const failure = dependency(await packageOf('0.2.0-dev'), '0.2.0-dev', undefined, { PATH: '/nowhere' });
    await expect(failure).rejects.toMatchObject({
      findings: [
        { code: 'scaffold/pack-failed', fix: [expect.stringContaining('--opsdk'), expect.anything()] },
      ],
    });
  });
});
