import { Deployment } from 'opsdk/k8s/apps/v1';
import { Secret } from 'opsdk/k8s/core/v1';
import { eventually } from 'opsdk/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Account } from '../../../src/api/data/v1alpha1/account.ts';
import { Database } from '../../../src/api/data/v1alpha1/database.ts';
import { startOperator, type StartedOperator } from '../../start-operator.ts';

const database = { namespace: 'default', name: 'orders' };
const account = { namespace: 'default', name: 'orders-app' };
let operator: StartedOperator;
beforeAll(async () => {
  operator = await startOperator();
}, 600_000);
afterAll(() => operator?.stop());

it('creates the Deployment and the password of a Database', async () => {
  const { client } = operator;
  await client.create(Database, { metadata: database, spec: { replicas: 1 } });
  await eventually(async () => {
    expect((await client.get(Deployment, database)).spec?.replicas).toBe(1);
    expect((await client.get(Secret, database)).data).toHaveProperty('password');
    expect((await client.get(Database, database)).status?.ready).toBe(true);
    expect(await operator.reasons(database.name)).toContain('PasswordCreated');
  });
});

it('follows the replicas of a Database', async () => {
  const { client } = operator;
  await client.patch(Database, database, { type: 'merge', body: { spec: { replicas: 2 } } });
  await eventually(async () => expect((await client.get(Deployment, database)).spec?.replicas).toBe(2));
});

it('writes the Secret of an Account, and follows its role', async () => {
  const { client } = operator;
  const role = async (): Promise<string> =>
    Buffer.from((await client.get(Secret, account)).data?.['role'] ?? '', 'base64').toString();
  await client.create(Account, { metadata: account, spec: { database: database.name } });
  await eventually(async () => expect(await role()).toBe('reader'));
  await client.patch(Account, account, { type: 'merge', body: { spec: { role: 'writer' } } });
  await eventually(async () => {
    expect(await role()).toBe('writer');
    expect((await client.get(Account, account)).status?.secretName).toBe(account.name);
    expect(await operator.reasons(account.name)).toEqual(
      expect.arrayContaining(['AccountCreated', 'RoleChanged']),
    );
  });
});

it('deletes a Database once its Accounts are revoked', async () => {
  const { client } = operator;
  await client.delete(Database, database);
  await eventually(async () => expect(await operator.reasons(database.name)).toContain('AccountsLeft'));
  await client.delete(Account, account);
  await eventually(async () => {
    expect(await client.find(Account, account)).toBeUndefined();
    expect(await client.find(Secret, account)).toBeUndefined();
    expect(await client.find(Database, database)).toBeUndefined();
    expect(await operator.reasons(account.name)).toContain('AccountRevoked');
  });
});
