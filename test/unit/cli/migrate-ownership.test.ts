// Input of `op-sdk migrate-ownership` that is refused before the cluster is asked.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { externalResource } from '../../../src/sdk/api/index.ts';
import { isOpSdkError } from '../../../src/base/errors/index.ts';
import type { ApiDirectory } from '../../../src/sdk/kube/index.ts';
import type { AppliedKind, FieldManagers } from '../../../src/compiler/manifests/index.ts';
import { ownershipTargets } from '../../../src/cli/actions/ownership/ownership-targets.ts';
import { ownershipText } from '../../../src/cli/actions/ownership/ownership-text.ts';
import { readKindSelection, type KindSelection } from '../../../src/cluster/index.ts';
import { runCli } from '../../helpers/run-cli.ts';

const cwd = mkdtempSync(join(tmpdir(), 'opsdk-ownership-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const messagesOf = async (...argv: readonly string[]): Promise<readonly string[]> => {
  const { code, stderr, stdout } = await runCli(['migrate-ownership', ...argv], { cwd });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr.split('\n').filter((line) => line.startsWith('error['));
};

test('all that is missing outside of a project is named', async () => {
  expect(await messagesOf()).toEqual([
    'error[cli/missing-value]: --from is missing: the field manager of the former operator',
    'error[cli/missing-value]: --kind is missing outside of a project',
    'error[cli/missing-value]: --to is missing outside of a project',
  ]);
});

test('all that is invalid is named', async () => {
  const found = await messagesOf(
    ...['--from', '', '--from', 'ä'.repeat(65), '--to', 'a\nb', '-n', 'A', '--all-namespaces'],
    ...['-l', 'a b', '--kind', 'apps/v1/Deployment', '--kind', 'apps/deployment'],
  );
  expect(found.map((line) => line.replace('error[cli/invalid-value]: ', ''))).toEqual([
    '--from: expected the name of a field manager, got an empty one',
    '--from: expected at most 128 bytes, got 130',
    '--to: expected printable characters, got "a\\nb"',
    expect.stringContaining('--namespace is "A": '),
    '--namespace and --all-namespaces exclude each other',
    expect.stringContaining('--selector: "a b" is not a label selector: '),
    '--kind: expected a kind with its group, got "apps/v1/Deployment"',
    '--kind: expected a kind with its group, got "apps/deployment"',
  ]);
});

test.each([
  ['apps/Deployment', { group: 'apps', kind: 'Deployment' }],
  ['deployments.apps', { group: 'apps', plural: 'deployments' }],
  ['cache.example.com/Memcached', { group: 'cache.example.com', kind: 'Memcached' }],
  ['memcacheds.cache.example.com', { group: 'cache.example.com', plural: 'memcacheds' }],
  ['Secret', { group: '', kind: 'Secret' }],
  ['secrets', { group: '', plural: 'secrets' }],
])('%s is a kind', (text, selection) => {
  expect(readKindSelection(text)).toEqual({ ...selection, text });
});

const served = (
  group: string,
  kind: string,
  verbs = ['get', 'list', 'patch'],
): ApiDirectory['types'][number] => ({
  resource: externalResource({
    group,
    version: 'v1',
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope: 'Namespaced',
  }),
  singular: '',
  shortNames: [],
  verbs,
});
const directory: ApiDirectory = {
  types: [served('', 'Secret'), served('apps', 'Deployment'), served('', 'Binding', ['create'])],
  unavailable: ['metrics.k8s.io/v1beta1'],
};
const applied = (
  group: string,
  kind: string,
  object: readonly string[],
  status = object,
  more: Partial<AppliedKind> = {},
): AppliedKind => ({
  group,
  kind,
  plural: `${kind.toLowerCase()}s`,
  place: { file: 'src/main.ts', line: 1, column: 1 },
  object,
  status,
  unread: [],
  isDeclared: false,
  isReconciled: false,
  ...more,
});
const messagesFor = (
  kinds: readonly AppliedKind[],
  unread: FieldManagers['unread'] = [],
): readonly string[] => {
  try {
    ownershipTargets(directory, { kinds: undefined, managers: { kinds, reconciled: [], unread } }, undefined);
    return [];
  } catch (error) {
    if (!isOpSdkError(error)) throw error;
    return error.findings.map(({ code, message }) => `${code} ${message}`);
  }
};

test('a kind is refused if it is not decided which manager applies it', () => {
  const many = applied('', 'Secret', ['op/a', 'op/b']);
  const unread = [{ message: 'the name of the controller cannot be read from the sources' }];
  const none = applied('apps', 'Deployment', [], [], { unread });
  expect(messagesFor([many, none], unread)).toEqual([
    'cluster/unknown-field-manager Secret: expected one field manager that applies it, but several may: op/a, op/b',
    'cluster/unknown-field-manager apps/Deployment: expected one field manager that applies it, but the name of the controller cannot be read from the sources',
  ]);
  expect(messagesFor([applied('', 'Secret', ['op/a'], ['op/b'])])).toEqual([]);
});

test('a kind is refused if the field manager of a call cannot be read', () => {
  const unread = [{ message: 'the fieldManager of a call cannot be read from the sources' }];
  expect(messagesFor([applied('', 'Secret', ['op/a'], ['op/a'], { unread })])).toEqual([
    'cluster/unknown-field-manager Secret: expected one field manager that applies it, but the fieldManager of a call cannot be read from the sources',
  ]);
});

test('of a kind that is only reconciled, the status moves, and a kind of others must be named', () => {
  const reconciled = { isReconciled: true };
  const kinds = [
    applied('', 'Secret', [], ['op/a'], reconciled),
    applied('apps', 'Deployment', [], ['op/a'], { ...reconciled, isDeclared: true }),
  ];
  const targetsOf = (named?: KindSelection) =>
    ownershipTargets(
      directory,
      { kinds: named && [named], managers: { kinds, reconciled: [], unread: [] } },
      undefined,
    ).targets.map(({ resource, to }) => [resource.kind, to]);
  const status = { object: undefined, status: 'op/a' };
  expect(targetsOf()).toEqual([['Deployment', status]]);
  expect(targetsOf(readKindSelection('Secret'))).toEqual([['Secret', status]]);
});

test('of the kinds of the project, those that are not served are left out, and those that may be are refused', () => {
  const { targets, warnings } = ownershipTargets(
    directory,
    {
      kinds: undefined,
      managers: {
        reconciled: [],
        kinds: [applied('x.example.com', 'Web', ['op/a']), applied('', 'Secret', ['op/a'])],
        unread: [],
      },
    },
    undefined,
  );
  expect(targets.map(({ resource, to }) => [resource.kind, to])).toEqual([
    ['Secret', { object: 'op/a', status: 'op/a' }],
  ]);
  expect(warnings).toMatchObject([{ code: 'cluster/kind-not-served', where: { file: 'src/main.ts' } }]);
  expect(
    messagesFor([applied('metrics.k8s.io', 'PodMetric', ['op/a']), applied('', 'Binding', ['op/a'])]),
  ).toEqual([
    "cluster/unknown-kind the API server cannot reach metrics.k8s.io/v1beta1, so the kind 'podmetrics.metrics.k8s.io' is not known",
    "cluster/kind-not-writable expected a kind whose objects can be read and patched, got 'bindings', which does not support get, list, patch",
  ]);
});

test('an object that only loses owners is not said to move fields', () => {
  const [{ resource } = served('', 'Secret')] = directory.types;
  const moves = [
    {
      from: ['manager'],
      to: 'op/a',
      fields: [],
      removable: [],
      ownerless: ['.data.a'],
      ownerlessVersions: ['v1beta1'],
    },
  ];
  expect(ownershipText({ resource, key: { name: 'a', namespace: 'b' }, moves }, 'would move')).toBe(
    `secret/a in namespace b: manager would no longer own 1 field
  written in v1beta1: stay without an owner:
    .data.a`,
  );
});
