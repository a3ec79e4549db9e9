import { defineController, defineIndex, ownedBy, watch } from 'opsdk';
import { Secret } from 'opsdk/k8s/core/v1';
import { Account } from '../../api/data/v1alpha1/account.ts';
import { Database } from '../../api/data/v1alpha1/database.ts';

const byDatabase = defineIndex(Account, 'database', ({ spec }) => spec.database);

export const accountController = defineController({
  for: Account,
  owns: [Secret],
  watches: [
    watch(Database, {
      map: async ({ metadata: { name } }, { client }) =>
        (await client.byIndex(byDatabase, name)).items.map(({ metadata }) => metadata),
    }),
  ],
  indexes: [byDatabase],
  async reconcile(account, { client, events, key }) {
    const { database, role = 'reader' } = account.spec;
    const server = await client.find(Database, { namespace: key.namespace, name: database });
    if (server?.status?.ready !== true) return;
    const existing = await client.find(Secret, key);
    const data = { role: Buffer.from(role).toString('base64') };
    if (existing === undefined) {
      await client.create(Secret, { metadata: { ...key, ...ownedBy(account) }, data });
      events.normal('AccountCreated', `as ${role}`);
    } else if (existing.data?.['role'] !== data.role) {
      await client.update(Secret, { ...existing, data });
      events.normal('RoleChanged', `to ${role}`);
    }
    await client.applyStatus(Account, key, { secretName: key.name });
  },
  async finalize(_account, { client, events, key }) {
    if ((await client.find(Secret, key)) !== undefined) await client.delete(Secret, key);
    events.normal('AccountRevoked', 'its Secret is deleted');
  },
});
