// op-sdk kustomize edit beside kustomize edit: the same kustomization afterwards. kustomize writes it anew, sorted and with
// its comments moved; op-sdk changes lines. So what the two files say is compared.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCli } from '../../helpers/run-cli.ts';
import { buildKustomizeOracle } from './oracle.ts';

const digest = `sha256:${'ab'.repeat(32)}`;
const images = `images:
- name: controller
  newName: controller
  newTag: latest
- digest: ${digest}
  name: second
- {name: flow, newTag: v1}
`;
const empty = 'resources: []\nnamespace: old\n';

const cases: readonly (readonly [string, string])[] = [
  ...[
    'controller=ghcr.io/acme/operator:v1',
    'controller=localhost:5000/a/b:v1.2.3',
    'controller=localhost:5000/a/b',
    'controller=other',
    'controller:v9',
    `controller@${digest}`,
    `controller=other@${digest}`,
    `controller=other:v1@${digest}`,
    'controller=*:v2',
    'controller=new:*',
    'controller=*',
    `controller=*@${digest}`,
    'controller=*:*',
    'second=*:v1',
    'second=other@*',
    'second:v1',
    'flow:v2',
    'flow=new',
    `flow=new@${digest}`,
    'unknown=*:v1',
    'unknown=a:*',
    'unknown=a:1.0',
    'unknown:1',
    'one=a:b two=c:d controller:x',
  ].flatMap((words) => [[images, `set image ${words}`] as const, [empty, `set image ${words}`] as const]),
  ...[images, empty].flatMap((text) => [
    [text, 'set namespace new'] as const,
    [text, 'set nameprefix dev-'] as const,
    [text, 'add resource a.yaml b.yaml'] as const,
  ]),
  ['resources:\n- b.yaml\n', 'add resource a.yaml b.yaml'],
  ['# Only a comment.\nnamePrefix: "old-"\n', 'set nameprefix new-'],
];
/** What neither takes. */
const refused = [
  'set image controller',
  'set image',
  'set namespace',
  'set nameprefix',
  'add resource',
  'add resource nothing.yaml',
];

const oracle = buildKustomizeOracle();
if ('missing' in oracle) console.log(`skipped: the comparison with kustomize edit: ${oracle.missing}`);

describe.skipIf('missing' in oracle)('op-sdk kustomize edit beside kustomize edit', () => {
  afterAll(() => ('missing' in oracle ? undefined : oracle.close()));
  const all = [...cases, ...refused.map((words) => [images, words] as const)];
  const filesOf = (text: string) => ({ 'kustomization.yaml': text, 'a.yaml': '', 'b.yaml': '' });
  const real =
    'missing' in oracle
      ? []
      : oracle.edit(all.map(([text, words]) => ({ files: filesOf(text), edit: words.split(' ') })));

  it.each(all.map(([text, words], index) => [words, text, real[index]] as const))(
    '%s',
    async (words, text, expected) => {
      const root = mkdtempSync(join(tmpdir(), 'op-sdk-edit-'));
      try {
        for (const [path, content] of Object.entries(filesOf(text))) writeFileSync(join(root, path), content);
        const { code } = await runCli(['kustomize', 'edit', ...words.split(' ')], { cwd: root });
        const isRefused = refused.includes(words);
        expect(code).toBe(isRefused ? 2 : 0);
        expect(expected).toHaveProperty(isRefused ? 'error' : 'files');
        if (expected === undefined || 'error' in expected) return;
        const ours = readFileSync(join(root, 'kustomization.yaml'), 'utf8');
        expect(meaningOf(ours)).toEqual(meaningOf(expected.files['kustomization.yaml'] ?? ''));
      } finally {
        rmSync(root, { recursive: true });
      }
    },
  );
});

/** kustomize adds the type and sorts the images; lists that are empty vanish. */
function meaningOf(text: string): unknown {
  const value = parse(text) as Record<string, unknown> & { images?: { name: string }[] };
  const { apiVersion: _apiVersion, kind: _kind, images = [], resources = [], ...rest } = value;
  return { ...rest, resources, images: images.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
