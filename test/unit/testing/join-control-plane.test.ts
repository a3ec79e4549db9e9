import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  joinControlPlane,
  shareControlPlane,
} from '../../../src/testing/control-plane/join-control-plane.ts';
import { NodeTurns, takeTurn } from '../../../src/testing/control-plane/node-turns.ts';

const folder = mkdtempSync(join(tmpdir(), 'op-sdk-join-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a control plane that is not prepared for nodes refuses them before anything is asked of it', async () => {
  const pair = { certificate: '', key: '' };
  const shared = await shareControlPlane({
    ...{ version: '1.37.2', url: 'https://127.0.0.1:1', caCertificate: '', credentials: pair, folder },
    ...{ adminKubeconfig: { path: '', text: '' }, operatorKubeconfig: '', auditLog: undefined },
    ...{ authority: pair, files: { ca: '', serviceAccountKey: '' }, controllerManager: false },
  });
  await expect(joinControlPlane(shared, { nodes: 1 })).rejects.toMatchObject({
    code: 'testenv/cannot-join',
    message: expect.stringContaining('expected nodes') as unknown,
  });
});

test('turns come one at a time, in their order', async () => {
  await using turns = await NodeTurns.open();
  const limit = 30_000;
  const endFirst = await takeTurn(turns.port, limit, undefined);
  const order: string[] = [];
  const second = takeTurn(turns.port, limit, undefined).then((end) => {
    order.push('second');
    return end;
  });
  // One that gives up does not get its turn later.
  expect(await takeTurn(turns.port, 20, undefined)).toBeUndefined();
  const cancel = new AbortController();
  const cancelled = takeTurn(turns.port, limit, cancel.signal);
  cancel.abort(new Error('cancelled'));
  await expect(cancelled).rejects.toThrow('cancelled');
  expect(order).toEqual([]);
  endFirst?.();
  const endSecond = await second;
  const third = takeTurn(turns.port, limit, undefined);
  endSecond?.();
  expect(await third).toBeTypeOf('function');
});

test('nobody grants turns where none are granted', async () => {
  const turns = await NodeTurns.open();
  const { port } = turns;
  await turns.close();
  await expect(takeTurn(port, 30_000, undefined)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
