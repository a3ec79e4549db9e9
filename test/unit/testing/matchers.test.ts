import { describe, expect, expectTypeOf, it } from 'vitest';
import { ownedBy } from '../../../src/sdk/runtime/index.ts';
import { kubernetesMatchers } from '../../../src/testing/vitest.ts';

expect.extend(kubernetesMatchers);

const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'o', namespace: 'x', uid: 'u1' } };
const object = {
  kind: 'Site',
  metadata: { name: 'a', namespace: 'x', ...ownedBy(owner) },
  status: { conditions: [{ type: 'Ready', status: 'True', reason: 'Done', message: 'all 3 pages' }] },
};

describe('kubernetesMatchers', () => {
  it('finds conditions', () => {
    expect(object).toHaveCondition('Ready', 'True');
    expect(object).toHaveCondition('Ready', 'True', { reason: 'Done', message: /\d pages/ });
    expect(object).not.toHaveCondition('Ready', 'False');
    expect(object).not.toHaveCondition('Ready', 'True', { reason: 'Other' });
    expect({}).not.toHaveCondition('Ready', 'True');
  });

  it('says what was found instead of a condition', () => {
    expect(() => expect(object).toHaveCondition('Ready', 'False', { reason: 'Failed' })).toThrow(
      'Site a: expected the condition Ready=False, Failed, got Ready=True (Done: all 3 pages)',
    );
    expect(() => expect({}).toHaveCondition('Ready', 'True')).toThrow('got no conditions');
  });

  it('finds the controller among the owners', () => {
    expect(object).toBeOwnedBy(owner);
    expect(object).not.toBeOwnedBy({ ...owner, metadata: { ...owner.metadata, uid: 'u2' } });
    expect(() => expect({}).toBeOwnedBy(owner)).toThrow(
      'expected the controller ConfigMap o (uid u1), got no owners',
    );
  });

  it('checks the types of arguments', () => {
    type Status = Parameters<ReturnType<typeof expect<object>>['toHaveCondition']>[1];
    expectTypeOf<Status>().toEqualTypeOf<'True' | 'False' | 'Unknown'>();
    // @ts-expect-error: a status is a text
    expect(() => expect(object).toHaveCondition('Ready', true)).toThrow();
  });
});
