import { expect, test } from 'vitest';
import type { AuditEvent } from '../../../src/testing/index.ts';
import { strayWrites } from '../../soak/single-writer.ts';

let id = 0;

function event(second: number, user: string, verb: string, resource: string, more: object = {}): AuditEvent {
  id += 1;
  return {
    auditID: String(id),
    stage: 'RequestReceived',
    level: 'Metadata',
    verb,
    requestURI: `/${resource}`,
    user: { username: user },
    objectRef: { resource },
    requestReceivedTimestamp: `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`,
    stageTimestamp: '',
    ...more,
  };
}

function lease(second: number, user: string, holderIdentity: string, code = 200): AuditEvent {
  return event(second, user, 'update', 'leases', {
    stage: 'ResponseComplete',
    responseStatus: { code },
    requestObject: { spec: { holderIdentity } },
  });
}

const replicas = new Set(['a', 'b']);

test.each<[string, readonly AuditEvent[]]>([
  [
    'by the leader, one after the other',
    [
      lease(1, 'a', 'a'),
      event(2, 'a', 'patch', 'configmaps'),
      lease(3, 'b', 'b'),
      event(4, 'b', 'patch', 'configmaps'),
    ],
  ],
  [
    'after a renewal of its own',
    [lease(1, 'a', 'a'), lease(2, 'b', 'b'), lease(3, 'a', 'a'), event(4, 'a', 'patch', 'configmaps')],
  ],
  [
    'while another fails to take the Lease',
    [lease(1, 'a', 'a'), lease(2, 'b', 'b', 409), event(3, 'a', 'patch', 'configmaps')],
  ],
  [
    'after its own release, before anybody leads',
    [lease(1, 'a', 'a'), lease(2, 'a', ''), event(3, 'a', 'patch', 'configmaps')],
  ],
  ['by somebody else', [lease(1, 'a', 'a'), event(2, 'admin', 'patch', 'configmaps')]],
  ['that are reads', [lease(1, 'a', 'a'), event(2, 'b', 'watch', 'configmaps')]],
])('no stray write among writes %s', (_, events) => {
  expect(strayWrites(events, replicas)).toEqual([]);
});

test('a write after another replica has taken the Lease is stray, in whatever order the log has them', () => {
  const late = event(4, 'a', 'patch', 'configmaps');
  expect(strayWrites([late, lease(3, 'b', 'b'), lease(1, 'a', 'a')], replicas)).toEqual([
    expect.objectContaining({ user: 'a', at: late.requestReceivedTimestamp, leader: 'b' }),
  ]);
});
