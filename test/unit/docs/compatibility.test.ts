// docs/compatibility.md says what the code has.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { supportedKubernetes } from '../../../src/base/util/kubernetes-releases.ts';
import { kubernetesVersion } from '../../../src/kubernetes/tables/generated/names.ts';
import { nodeChoice } from '../../../src/project/scaffold/index.ts';
import { supportedNodes } from '../../../scripts/lib/nodes.mjs';
import { filesBelow } from '../../helpers/source-files.ts';

const text = readFileSync('docs/compatibility.md', 'utf8');
const cells = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const rowsOf = (header: string): readonly (readonly string[])[] => {
  const lines = text.slice(text.search(new RegExp(`^\\| ${header} `, 'm'))).split('\n');
  return lines
    .slice(
      2,
      lines.findIndex((line) => !line.startsWith('|')),
    )
    .map(cells);
};
const { version, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  devDependencies: Record<string, string>;
};

test('the newest row is this version, with its Nodes, releases of Kubernetes and TypeScript', () => {
  const { oldest, newest, release } = supportedKubernetes;
  const nodes = supportedNodes.map((node) => node.replace(/\.0$/, '')).join(', ');
  const [row] = rowsOf('op-sdk');
  expect(row).toEqual([
    version.split('.').slice(0, 2).join('.'),
    nodes,
    `${oldest} to ${newest}`,
    '5.9, 6.0',
  ]);
  expect(text).toContain(`are those of ${release}.`);
  expect(devDependencies['typescript'] ?? '~5.9').toMatch(/^~5\.9/);
});

test('the table of Nodes is what init chooses', () => {
  const minor = (range: string): string => range.replace(/^[~^]/, '').split('.').slice(0, 2).join('.');
  const major = (range: string): string => minor(range).split('.')[0] ?? '';
  const wanted = ['20.19.0', '22.11.0', '22.12.0', '22.13.0', '24.0.0', '26.0.0'].map((node) => {
    const { engine, line, tools } = nodeChoice(node);
    return [`\`${engine}\``, minor(tools.vitest), major(tools.eslint), major(tools['@types/node']), line];
  });
  expect(rowsOf('Node  ').map(([, ...row]) => row)).toEqual(wanted);
});

test('five minor versions of Kubernetes are supported, and the tables are those of the newest', () => {
  const { oldest, newest, release } = supportedKubernetes;
  const minor = (text: string): number => Number(text.split('.')[1]);
  expect(minor(newest) - minor(oldest)).toBe(4);
  expect(release.startsWith(`${newest}.`)).toBe(true);
  expect(kubernetesVersion).toBe(newest);
});

test('no other source names a release of the supported ones', () => {
  const allowed = new Set([
    'src/base/util/kubernetes-releases.ts',
    // The Go versions that build the releases.
    'src/testing/assets/obtain-binaries.ts',
    // Digests of releases.
    'src/testing/assets/release-archive.ts',
  ]);
  const found = filesBelow('src', (path) => path.endsWith('.ts') && !allowed.has(path)).flatMap(
    ({ path, text }) =>
      text
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
        .split('\n')
        .filter((line) => /\b1\.3[3-9]\b/.test(line))
        .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});
