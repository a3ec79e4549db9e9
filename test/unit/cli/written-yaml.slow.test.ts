// Other tools read what op-sdk writes with apimachinery's decoder, and many of them its first document only.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseYamlDocuments } from '../../../src/kubernetes/yaml/read-yaml.ts';
import {
  cutYamlStream,
  isEmptyDocument,
  withoutMarkerAfterComment,
} from '../../../src/kubernetes/yaml/stream.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { treeOf } from '../../helpers/tree.ts';

const api = (group: string, kind: string, ...flags: string[]) => [
  ...['create', 'api', '--group', group, '--version', 'v1alpha1', '--kind', kind],
  ...flags,
];

const describeOperator = [
  ...['generate', 'kustomize', 'manifests', '--display-name', 'Sample', '--description', 'Runs samples'],
  ...['--provider', 'Example', '--keywords', 'sample', '--maintainers', 'Jo:jo@example.com'],
];
const bundle = ['generate', 'bundle', '--version', '0.0.1'];
/** A bundle is created at the same time, whenever that is. */
const env = { OPSDK_NO_CACHE: '1', SOURCE_DATE_EPOCH: '1767323045' };

const commands = [
  ['init', '--skip-install', '--opsdk', '^0.1.0', '--domain', 'example.com', '--project-name', 'sample'],
  api('cache', 'Memcached'),
  api('network', 'Proxy', '--namespaced=false'),
  ['generate', 'manifests'],
  ['build-installer', '--image', 'example.com/sample:v1'],
  describeOperator,
  bundle,
  ['kustomize', 'build', 'config/default', '--output-file', 'rendered.yaml'],
];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-written-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (argv: readonly string[]) => {
  const { code, stdout, stderr } = await runCli(argv, { cwd: folder, env });
  expect(code, `${argv.join(' ')}\n${stderr}`).toBe(0);
  return stdout;
};
const isYaml = (path: string): boolean => /\.ya?ml$|^PROJECT$/.test(path);
const yamlFiles = (): readonly string[] =>
  Object.keys(treeOf(folder)).filter((path) => isYaml(path) && !path.startsWith('.github/'));
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

/** A decoder that gives one text a document must see the same documents as one that reads the whole stream. */
function expectOneDocumentEach(text: string, file: string): void {
  const documents = cutYamlStream(text);
  const empty = documents.filter((document) => isEmptyDocument(document.text));
  expect(empty, file).toEqual([]);
  expect(
    documents.flatMap((document) => parseYamlDocuments(document.text, file).map(({ value }) => value)),
    file,
  ).toEqual(parseYamlDocuments(text, file).map(({ value }) => value));
}

describe('the YAML that commands write', () => {
  test('has no document that is a comment only', async () => {
    for (const argv of commands) await run(argv);
    const files = yamlFiles();
    expect(files).toEqual(
      expect.arrayContaining([
        'PROJECT',
        'bundle/manifests/sample.clusterserviceversion.yaml',
        'bundle/metadata/annotations.yaml',
        'bundle/tests/scorecard/config.yaml',
        'config/crd/bases/cache.example.com_memcacheds.yaml',
        'config/manifests/bases/sample.clusterserviceversion.yaml',
        'config/rbac/role.yaml',
        'dist/install.yaml',
        'rendered.yaml',
      ]),
    );
    // A bundle's files hold one object each.
    for (const file of files.filter((path) => path.startsWith('bundle/')))
      expect(cutYamlStream(read(file)), file).toHaveLength(1);
    for (const file of files) expectOneDocumentEach(read(file), file);
  });

  test('has none on stdout either', async () => {
    for (const argv of [
      ['generate', 'manifests', '--stdout'],
      [...bundle, '--stdout'],
      ['kustomize', 'build', 'config/default'],
    ]) {
      const text = await run(argv);
      expectOneDocumentEach(text, argv.join(' '));
      expect(cutYamlStream(text).length, argv.join(' ')).toBeGreaterThan(2);
    }
  });

  test('is rewritten where an earlier version put `---` below its header, edits kept', async () => {
    // The scorecard's base had no header in earlier versions, and is the user's.
    const files = yamlFiles().filter(
      (path) => read(path).startsWith('# ') && !path.startsWith('config/scorecard/'),
    );
    const earlier = files.filter((path) => /^bundle\/|\/bases\/|^config\/rbac\/role\.yaml$/.test(path));
    expect(earlier.length).toBeGreaterThan(8);
    const now = Object.fromEntries(earlier.map((path) => [path, read(path)]));
    const base = 'config/manifests/bases/sample.clusterserviceversion.yaml';
    now[base] = now[base]?.replace('maturity: alpha', 'maturity: beta # ours') ?? '';
    for (const [path, text] of Object.entries(now)) {
      const old = text.replace(/^(?:#.*\n)+/, (header) => `${header}---\n`);
      expect(isEmptyDocument(cutYamlStream(old)[0]?.text ?? ''), path).toBe(true);
      writeFileSync(join(folder, path), old);
    }
    // A manifest of an earlier bundle, of a kind that has left since: still known as op-sdk's own.
    const stale = 'bundle/manifests/stale_v1_service.yaml';
    writeFileSync(
      join(folder, stale),
      '# Generated by `op-sdk generate bundle`. Do not edit: it will be overwritten.\n---\nkind: Service\n',
    );
    await run(['generate', 'manifests']);
    await run(describeOperator);
    await run([...bundle, '--overwrite=false']);
    const csv = 'bundle/manifests/sample.clusterserviceversion.yaml';
    now[csv] = now[csv]?.replace('maturity: alpha', 'maturity: beta') ?? '';
    expect(Object.fromEntries(earlier.map((path) => [path, read(path)]))).toEqual(now);
    expect(yamlFiles()).not.toContain(stale);
  });
});

describe('bundle validate and bundle build', () => {
  test.each(['manifests/sample.clusterserviceversion.yaml', 'metadata/annotations.yaml'])(
    'refuse a comment above `---` in %s',
    async (file) => {
      const path = join(folder, 'bundle', file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace('\n', '\n---\n'));
      const validated = await runCli(['bundle', 'validate', './bundle'], { cwd: folder });
      writeFileSync(path, text);
      expect(validated.code).toBe(1);
      expect(validated.stderr).toContain('error[bundle/empty-first-document]');
      expect(validated.stderr).toContain(`bundle/${file}:2:1`);
    },
  );

  test('a bundle whose annotations nobody else could read gets no image', async () => {
    const path = join(folder, 'bundle/metadata/annotations.yaml');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('\n', '\n---\n'));
    const built = await runCli(['bundle', 'build', '--tag', 'example.com/sample-bundle:v1'], { cwd: folder });
    writeFileSync(path, text);
    expect(built.code).toBe(1);
    expect(built.stderr).toContain('bundle/empty-first-document');
  });
});

describe('cutYamlStream', () => {
  test.each([
    ['', []],
    ['a: 1', ['a: 1']],
    ['a: 1\n---\nb: 2\n', ['a: 1\n', 'b: 2\n']],
    ['# c\n---\na: 1\n', ['# c\n', 'a: 1\n']],
    ['\n---\na: 1\n', ['\n', 'a: 1\n']],
    // A marker at the very beginning belongs to its document; a second one ends that.
    ['---\na: 1\n---\n', ['---\na: 1\n']],
    ['---\n---\na: 1\n', ['---\n', 'a: 1\n']],
    ['--- # c\na: 1\n--- # d\nb: 2\n', ['--- # c\na: 1\n', 'b: 2\n']],
    ['a: |\n  ---\n --- x\n--- {b: 2}\n', ['a: |\n  ---\n --- x\n--- {b: 2}\n']],
    ['a: 1\r\n---\r\nb: 2\r\n', ['a: 1\r\n', 'b: 2\r\n']],
  ])('%j', (text, documents) => {
    expect(cutYamlStream(text).map((part) => part.text)).toEqual(documents);
  });
});

describe('withoutMarkerAfterComment', () => {
  test.each([
    ['# c\n---\na: 1\n', '# c\na: 1\n'],
    ['# c\r\n\r\n--- # d\r\na: 1\r\n', '# c\r\n\r\na: 1\r\n'],
    ['---\na: 1\n', '---\na: 1\n'],
    ['# c\na: 1\n---\nb: 2\n', '# c\na: 1\n---\nb: 2\n'],
    ['# c\n--- |\n  text\n', '# c\n--- |\n  text\n'],
    ['# c\n', '# c\n'],
    ['', ''],
  ])('%j', (text, expected) => {
    expect(withoutMarkerAfterComment(text)).toBe(expected);
  });
});
