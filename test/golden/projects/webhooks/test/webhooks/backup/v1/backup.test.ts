// Unit tests: the functions are called directly, without a server.
import type { AdmissionContext, Stored } from 'opsdk';
import { expect, it } from 'vitest';
import type { Backup } from '../../../../src/api/backup/v1/backup.ts';
import { backupWebhook } from '../../../../src/webhooks/backup/v1/backup.ts';

const { options } = backupWebhook;

// What the functions use of the request, such as `{ request: { dryRun: true } }`.
const context = {} as AdmissionContext;

const backup = {
  apiVersion: 'backup.example.com/v1',
  kind: 'Backup',
  metadata: { name: 'backup-sample' },
} as Backup;

it('allows a new object', async () => {
  expect(await options.validate?.create?.(backup, context)).toEqual([]);
});

it('allows an update that changes nothing', async () => {
  const old = backup as Stored<Backup>;
  expect(await options.validate?.update?.(backup, old, context)).toEqual([]);
});
