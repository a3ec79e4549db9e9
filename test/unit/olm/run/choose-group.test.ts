import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import {
  installModeText,
  parseInstallMode,
  chooseGroup,
  type GroupChoice,
} from '../../../../src/olm/run/install-mode.ts';

const all = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

const group = (name: string, spec: object, status: object = {}): KubeObject =>
  ({
    apiVersion: 'operators.coreos.com/v1',
    kind: 'OperatorGroup',
    metadata: { name },
    spec,
    status,
  }) as KubeObject;

/** `name: mode`, with `new` in front of a group to create; otherwise the code of the finding. */
function chosen(choice: Partial<GroupChoice>, mode?: string): string {
  const wanted = mode === undefined ? undefined : parseInstallMode(mode, 'web');
  if (wanted !== undefined && 'problem' in wanted) throw new Error(wanted.problem);
  try {
    const found = chooseGroup({ namespace: 'web', groups: [], supported: all, wanted, ...choice });
    return `${found.isNew ? 'new ' : ''}${found.name}: ${installModeText(found.mode)}`;
  } catch (error) {
    if (isOpSdkError(error)) return error.code;
    throw error;
  }
}

describe('the OperatorGroup', () => {
  test.each([
    ['of a bundle for all namespaces', {}, undefined, 'new operator-sdk-og: AllNamespaces'],
    [
      'of a bundle for its own namespace',
      { supported: ['OwnNamespace'] },
      undefined,
      'new operator-sdk-og: OwnNamespace',
    ],
    ['that the flag asks for', {}, 'SingleNamespace=a', 'new operator-sdk-og: SingleNamespace=a'],
    ['of a bundle that needs names', { supported: ['MultiNamespace'] }, undefined, 'olm/unsupported-mode'],
    [
      'of a mode that is not supported',
      { supported: ['OwnNamespace'] },
      'AllNamespaces',
      'olm/unsupported-mode',
    ],
    ['that is there', { groups: [group('mine', {})] }, undefined, 'mine: AllNamespaces'],
    [
      'that is there, for other namespaces',
      { groups: [group('mine', { targetNamespaces: ['b', 'a'] })] },
      'MultiNamespace=a,b',
      'mine: MultiNamespace=a,b',
    ],
    [
      'that is there and decides',
      { groups: [group('mine', { targetNamespaces: ['web'] })] },
      undefined,
      'mine: OwnNamespace',
    ],
    [
      'that is there, with a selector',
      { groups: [group('mine', { selector: {} }, { namespaces: ['a'] })] },
      undefined,
      'mine: SingleNamespace=a',
    ],
    [
      'that does not fit the bundle',
      { groups: [group('mine', {})], supported: ['OwnNamespace'] },
      undefined,
      'olm/group-conflict',
    ],
    ['that does not fit the flag', { groups: [group('mine', {})] }, 'OwnNamespace', 'olm/group-conflict'],
    ['that is not alone', { groups: [group('a', {}), group('b', {})] }, undefined, 'olm/two-operator-groups'],
  ] as const)('%s', (_, choice, mode, expected) => {
    expect(chosen(choice, mode)).toBe(expected);
  });
});

describe('--install-mode', () => {
  test.each(['AllNamespaces', 'OwnNamespace', 'SingleNamespace=a', 'MultiNamespace=a,b'])(
    'takes %s',
    (text) => {
      const mode = parseInstallMode(text, 'web');
      expect('problem' in mode ? mode.problem : installModeText(mode)).toBe(text);
    },
  );

  test.each([
    ['All', 'expected AllNamespaces'],
    ['', 'expected AllNamespaces'],
    ['AllNamespaces=a', 'takes no namespace'],
    ['OwnNamespace=other', 'allows only the namespace web, in which the operator runs'],
    ['SingleNamespace', 'expected one namespace'],
    ['SingleNamespace=a,b', 'expected one namespace'],
    ['SingleNamespace=web', 'write OwnNamespace'],
    ['MultiNamespace=', 'expected namespaces'],
    ['MultiNamespace=a,a', 'twice'],
    ['MultiNamespace=a,B_', '"B_" is not a namespace'],
  ])('refuses %s', (text, problem) => {
    expect(parseInstallMode(text, 'web')).toMatchObject({ problem: expect.stringContaining(problem) });
  });
});
