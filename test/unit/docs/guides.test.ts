// What the guides name without running it here: commands and flags in their texts and tables, targets, error codes, links.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { supportedNodes } from '../../../scripts/lib/nodes.mjs';
import { supportedKubernetes } from '../../../src/base/util/kubernetes-releases.ts';
import { oldestNodeLine } from '../../../src/base/util/node-version.ts';
import { explanations } from '../../../src/cli/explanations/explanations.ts';
import { callsIn, codeOf, unknownIn } from '../../helpers/guide-calls.ts';
import { isShown, readGuide, titleOf, toolsOf } from '../../helpers/guide.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const guides = [
  'docs/create-api.md',
  'docs/create-webhook.md',
  'docs/webhooks.md',
  'docs/versions.md',
  'docs/certificates.md',
  'docs/dev.md',
  'docs/deploy.md',
  'docs/monitoring.md',
  'docs/kustomize.md',
  'docs/high-availability.md',
  'docs/coming-from-kubebuilder.md',
  'docs/coming-from-operator-sdk.md',
  'docs/images.md',
  'docs/bundles.md',
  'docs/catalogues.md',
  'docs/scorecard.md',
  'docs/registries.md',
  'docs/migration.md',
  'docs/moving-from-go.md',
  'docs/crd/import.md',
  'docs/crd/diff.md',
  'docs/crd/test.md',
];

describe.each([...guides, 'docs/tour.md', 'README.md'])('%s', (path) => {
  const markdown = read(path);
  const calls = codeOf(markdown).flatMap(callsIn);

  test('names commands that exist, with flags that they take', async () => {
    for (const call of calls) expect(await unknownIn(call), `op-sdk ${call.join(' ')}`).toEqual([]);
    expect(calls.length).toBeGreaterThan(path === 'README.md' ? 0 : 2);
  });

  test('names targets of the Makefile', () => {
    const targets = [...read('templates/init/Makefile.hbs').matchAll(/^([a-z-]+):/gm)].map(
      ([, name]) => name,
    );
    for (const code of codeOf(markdown)) {
      const [, words = ''] = /^make ((?:[a-z-]+(?:\s|$))+)/.exec(code) ?? [];
      expect(targets, code).toEqual(expect.arrayContaining(words.split(' ').filter((word) => word !== '')));
    }
  });

  test('names errors of the catalogue', () => {
    const codes = codeOf(markdown).filter((code) => /^(?:bundle|cluster|kustomize|oci)\/[a-z-]+$/.test(code));
    expect(Object.keys(explanations)).toEqual(expect.arrayContaining(codes));
  });

  test('links to files and errors that are there', () => {
    const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
    for (const [, target = ''] of prose.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)) {
      const [file = '', anchor] = target.split('#');
      expect(existsSync(join(root, path, '..', file)), target).toBe(true);
      if (anchor !== undefined && file.endsWith('errors.md'))
        expect(Object.keys(explanations).map((code) => code.replace('/', '-'))).toContain(anchor);
    }
  });
});

test('the list of guides, to which the README leads, names every document', () => {
  expect(read('README.md')).toContain('](docs/README.md)');
  const list = read('docs/README.md');
  const documents = readdirSync(join(root, 'docs')).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  // The package holds no list of errors: `op-sdk explain` prints it.
  for (const name of documents.filter((known) => known !== 'errors.md')) expect(list).toContain(`](${name})`);
});

test('the README is short, and names what the code has', () => {
  const readme = read('README.md');
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(7000);
  const { oldest, newest } = supportedKubernetes;
  const nodes = supportedNodes.map((node) => node.replace(/\.0$/, ''));
  expect(readme).toContain(
    `Kubernetes ${oldest} to ${newest} and Node ${nodes.slice(0, -1).join(', ')} and ${nodes.at(-1)}`,
  );
  expect(readme).toContain(`You need Node ${oldestNodeLine} or newer`);
});

describe('reading a guide', () => {
  const page = [
    '```sh',
    'npx --no op-sdk deploy # now',
    '```',
    '',
    '```text',
    'done',
    '```',
    '',
    '```yaml a/b.yaml',
    'a: 1',
    '```',
  ];

  test('commands with what they print, and files', () => {
    expect(readGuide(page.join('\n'))).toEqual([
      {
        kind: 'commands',
        line: 1,
        mark: undefined,
        script: 'npx --no op-sdk deploy # now\n',
        shown: 'done\n',
      },
      { kind: 'file', line: 9, path: 'a/b.yaml', content: 'a: 1\n' },
    ]);
  });

  test('refuses a mark that is not known, and an output of nothing', () => {
    expect(() => readGuide('```sh sometimes\nls\n```')).toThrow('no mark sometimes');
    expect(() => readGuide('```text\nhello\n```')).toThrow('no command has printed this');
  });

  test('blocks of other languages are for the eye', () => {
    expect(readGuide('```json\n{}\n```\n\n```\nplain\n```')).toEqual([]);
  });

  test('the title of a block is its first command', () => {
    const block = { kind: 'commands', line: 1, mark: undefined, shown: undefined } as const;
    expect(titleOf({ ...block, script: '# first\nnpm start   # until Ctrl-C\n' })).toBe('npm start');
  });

  test('the tools of a script are those that not every machine has', () => {
    expect(
      toolsOf('kubectl kustomize x | npx --no op-sdk deploy -f -\nA=1 true && skopeo copy \\\n docker://a b'),
    ).toEqual(['kubectl', 'skopeo']);
  });
});

describe('comparing with what a page shows', () => {
  test.each([
    ['a\nb\n', 'a\nb\n', true],
    ['a\nb\n', 'a\nb', true],
    ['a\n', 'a\nb\n', false],
    ['a\n…\n', 'a\nb\nc\n', true],
    ['a\n…\nc\n', 'a\nc\n', true],
    ['a\n…\nc\n', 'a\nb\n', false],
    ['x@sha256:…\n', 'x@sha256:12\n', true],
    ['x@sha256:…\n', 'x@sha256:12\ny\n', false],
    ['a.c\n', 'abc\n', false],
    ['…\n', '', true],
  ])('%j of %j: %s', (shown, output, expected) => {
    expect(isShown(shown, output)).toBe(expected);
  });
});
