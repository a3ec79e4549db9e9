import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadManifest } from '../../../../src/index.ts';
import { ConfigMap } from './kinds.ts';

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'opsdk-manifest-'));
  writeFileSync(join(project, 'PROJECT'), '');
  mkdirSync(join(project, 'assets', 'deep'), { recursive: true });
  // Threads cannot change the folder of a process.
  vi.spyOn(process, 'cwd').mockReturnValue(join(project, 'assets', 'deep'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(project, { recursive: true });
});

const put = (text: string): void => writeFileSync(join(project, 'assets', 'x.yaml'), text);
const load = () => loadManifest(ConfigMap, 'assets/x.yaml');

describe('loadManifest', () => {
  it('reads a file of the project as frozen plain JSON: times stay strings, merge keys work', () => {
    put(
      '---\napiVersion: v1\nkind: ConfigMap\nmetadata: &m\n  name: a\n  labels: {since: 2026-01-02, on: yes}\nother:\n  <<: *m\n  name: b\n---\n',
    );
    const object = load();
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', labels: { since: '2026-01-02', on: 'yes' } },
      other: { name: 'b', labels: { since: '2026-01-02', on: 'yes' } },
    });
    expect(() => Object.assign(object.metadata, { name: 'c' })).toThrow(TypeError);
    expect(Object.assign(structuredClone(object).metadata, { name: 'c' })).toMatchObject({ name: 'c' });
  });

  it('takes the object itself, as a bundle has it', () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    expect(loadManifest(ConfigMap, object)).toBe(object);
    expect(Object.isFrozen(object.metadata)).toBe(true);
    expect(() => loadManifest(ConfigMap, { ...object, kind: 'Secret' })).toThrow(
      /runtime\/manifest-kind.*the manifest of ConfigMap: expected ConfigMap of v1, got Secret of v1/,
    );
  });

  it.each([
    ['a: [', /runtime\/manifest-unreadable.*assets\/x\.yaml: invalid YAML/],
    ['', /expected one YAML document, got 0/],
    ['a: 1\n---\nb: 2\n', /expected one YAML document, got 2/],
    ['- a', /expected an object/],
    ['text', /expected an object/],
    [
      'apiVersion: apps/v1\nkind: Deployment',
      /assets\/x\.yaml: expected ConfigMap of v1, got Deployment of apps\/v1/,
    ],
    ['a: 1', /got undefined of undefined/],
  ])('refuses %j', (text, message) => {
    put(text);
    expect(load).toThrow(message);
  });

  it('names the line of a mistake, and the file that is missing', () => {
    put('a: 1\nb: [\n');
    expect(load).toThrow(
      expect.objectContaining({
        findings: [expect.objectContaining({ where: { file: 'assets/x.yaml', line: 3 } })],
      }),
    );
    expect(() => loadManifest(ConfigMap, 'assets/none.yaml')).toThrow(/assets\/none\.yaml: file not found/);
  });
});
