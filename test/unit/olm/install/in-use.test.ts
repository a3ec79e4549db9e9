import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { ClusterServiceVersion, Subscription } from '../../../../src/olm/run/run-names.ts';
import { inUseFinding } from '../../../../src/olm/install/uninstall/leftovers.ts';

const objects = (count: number): readonly KubeObject[] =>
  Array.from(
    { length: count },
    (_, index) => ({ metadata: { name: `o${index}`, namespace: 'ns' } }) as KubeObject,
  );

describe('what OLM manages', () => {
  test('is nothing', () => {
    const managed = [{ type: Subscription, objects: [] }];
    expect(inUseFinding('v0', managed, { refused: true })).toBeUndefined();
  });

  test('is named, many objects only in part', () => {
    const managed = [
      { type: Subscription, objects: objects(1) },
      { type: ClusterServiceVersion, objects: objects(22) },
    ];
    const finding = inUseFinding('v0', managed, { refused: true });
    expect(finding?.message).toMatch(
      /^OLM v0 is in use: the cluster has 1 Subscription \(ns\/o0\) and 22 ClusterServiceVersions \(ns\/o0, .*ns\/o19, and 2 more\)$/,
    );
    expect(finding?.fix?.join()).toContain('--force');
    const warning = inUseFinding('v0', managed, { refused: false });
    expect(warning?.message).toContain('this will be deleted with it: 1 Subscription (ns/o0)');
    expect(warning?.fix).toBeUndefined();
  });
});
