import { defineController, ownedBy, requeueAfter, watch } from 'opsdk';
import { Deployment } from 'opsdk/k8s/apps/v1';
import { Secret } from 'opsdk/k8s/core/v1';
import { Account } from '../../api/data/v1alpha1/account.ts';
import { Database } from '../../api/data/v1alpha1/database.ts';

export const databaseController = defineController({
  for: Database,
  owns: [Deployment, Secret],
  watches: [
    watch(Account, {
      map: ({ metadata, spec }) => [{ namespace: metadata.namespace, name: spec.database }],
    }),
  ],
  async reconcile(database, { client, events, key }) {
    if ((await client.find(Secret, key)) === undefined) {
      await client.create(Secret, {
        metadata: { ...key, ...ownedBy(database) },
        stringData: { password: crypto.randomUUID() },
      });
      events.normal('PasswordCreated', `in the Secret ${key.name}`);
    }
    const labels = { 'app.kubernetes.io/instance': key.name };
    const containers = [{ name: 'database', image: 'postgres:17-alpine' }];
    await client.apply(Deployment, {
      metadata: { ...key, ...ownedBy(database) },
      spec: {
        replicas: database.spec.replicas ?? 1,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    });
    await client.applyStatus(Database, key, { ready: true });
  },
  // Accounts are revoked while their server is there.
  async finalize(_database, { client, events, key }) {
    const { items } = await client.list(Account, { namespace: key.namespace });
    const left = items.filter(({ spec }) => spec.database === key.name);
    if (left.length === 0) return;
    events.warning('AccountsLeft', `${left.length} accounts are left`);
    return requeueAfter('1m');
  },
});
