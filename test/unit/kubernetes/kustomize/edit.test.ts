// op-sdk kustomize edit: the text around a change stays byte by byte. The results are compared with kustomize by test/peers.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCli } from '../../../helpers/run-cli.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'op-sdk-edit-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const file = (): string => join(root, 'kustomization.yaml');
const edit = (words: string, cwd = root) => runCli(['kustomize', 'edit', ...words.split(' ')], { cwd });

async function edited(text: string, words: string): Promise<string> {
  writeFileSync(file(), text);
  const first = await edit(words);
  expect(first).toMatchObject({ code: 0 });
  const result = readFileSync(file(), 'utf8');
  const second = await edit(words);
  expect(second).toMatchObject({ code: 0 });
  expect(second.stderr).toContain('unchanged');
  expect(readFileSync(file(), 'utf8')).toBe(result);
  return result;
}

const manager = `# The manager.
resources:
- manager.yaml # one file

# Set by the Makefile.
images:
- name: controller # of the Deployment
  newName: controller
  newTag: latest
`;

describe('set image', () => {
  test('changes the values only', async () => {
    expect(await edited(manager, 'set image controller=ghcr.io/acme/operator:v1')).toBe(
      manager.replace('newName: controller', 'newName: ghcr.io/acme/operator').replace('latest', 'v1'),
    );
  });

  test('takes out what is not given, and puts in what is new', async () => {
    const digest = `sha256:${'0'.repeat(64)}`;
    expect(await edited(manager, `set image controller@${digest}`)).toBe(
      manager.replace('  newName: controller\n  newTag: latest\n', `  digest: ${digest}\n`),
    );
  });

  test('* keeps what is there', async () => {
    expect(await edited(manager, 'set image controller=*:v2')).toBe(manager.replace('latest', 'v2'));
    expect(await edited(manager, 'set image controller=other:*')).toBe(
      manager.replace('newName: controller', 'newName: other'),
    );
  });

  test('adds an image, quoted where YAML needs it', async () => {
    expect(await edited(manager, 'set image side=nginx:1.27 last:2')).toBe(
      `${manager}- name: side\n  newName: nginx\n  newTag: "1.27"\n- name: last\n  newTag: "2"\n`,
    );
    expect(await edited('resources: []\n', 'set image a:b')).toBe(
      'images:\n- name: a\n  newTag: b\nresources: []\n',
    );
  });

  test('reports all that is wrong, and writes nothing', async () => {
    writeFileSync(file(), manager);
    const { code, stderr } = await edit(
      'set image controller a=b:c:d x=y@sha256:1 =z n= a=b a=c UP=\n'.trimEnd(),
    );
    expect(code).toBe(2);
    expect(stderr.match(/error\[cli\/invalid-value\]/g)).toHaveLength(7);
    expect(readFileSync(file(), 'utf8')).toBe(manager);
  });
});

describe('other fields', () => {
  test('set namespace and set nameprefix', async () => {
    expect(await edited(manager, 'set namespace staging')).toBe(
      manager.replace('resources:', 'namespace: staging\nresources:'),
    );
    const named = '# Where to\nnamespace: old # not here\nnamePrefix: "x-" # nor here\n';
    expect(await edited(named, 'set namespace new')).toBe(named.replace('old', 'new'));
    expect(await edited(named, 'set nameprefix dev-')).toBe(named.replace('"x-"', 'dev-'));
  });

  test('add resource', async () => {
    for (const name of ['a.yaml', 'b.yaml']) writeFileSync(join(root, name), '');
    mkdirSync(join(root, 'base'));
    expect(await edited('resources:\n- b.yaml # b\nnamespace: x\n', 'add resource b.yaml a.yaml base')).toBe(
      'resources:\n- b.yaml # b\n- a.yaml\n- base\nnamespace: x\n',
    );
    const { code, stderr } = await edit('add resource nothing.yaml a.yaml none');
    expect(code).toBe(2);
    expect(stderr).toContain("'nothing.yaml' does not exist");
    expect(stderr).toContain("'none' does not exist");
  });

  test.each(['set namespace Up', 'set nameprefix -a', 'set namespace', 'set image', 'add resource'])(
    'refuses: %s',
    async (words) => {
      writeFileSync(file(), manager);
      expect(await edit(words)).toMatchObject({ code: 2 });
      expect(readFileSync(file(), 'utf8')).toBe(manager);
    },
  );
});

describe('the file', () => {
  test('another folder by --dir, another name, and --dry-run', async () => {
    mkdirSync(join(root, 'config'));
    const other = join(root, 'config/kustomization.yml');
    writeFileSync(other, manager);
    expect(await edit('set image controller=a:b --dir config --dry-run')).toMatchObject({ code: 0 });
    expect(readFileSync(other, 'utf8')).toBe(manager);
    const { stderr } = await edit('set image controller=a:b --dir config');
    expect(stderr).toContain('config/kustomization.yml');
    expect(readFileSync(other, 'utf8')).toContain('newName: a');
  });

  test.each([
    ['no kustomization', {}, 'kustomize/no-kustomization'],
    ['two of them', { 'kustomization.yaml': '', Kustomization: '' }, 'kustomize/no-kustomization'],
    ['no YAML', { 'kustomization.yaml': 'a: [' }, 'io/yaml-syntax'],
    ['images that are no list', { 'kustomization.yaml': 'images: {a: b}\n' }, 'kustomize/cannot-edit'],
    ['a list', { 'kustomization.yaml': '- a\n' }, 'kustomize/cannot-edit'],
  ])('refuses %s', async (_name, files, code) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
    const { code: exit, stderr } = await edit('set image a=b');
    expect(exit).toBe(1);
    expect(stderr).toContain(`error[${code}]`);
  });

  test('refuses a folder that is not there', async () => {
    expect(await edit('set image a=b --dir nowhere')).toMatchObject({ code: 2 });
  });
});
