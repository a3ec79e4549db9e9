import { defineCommand } from '../command.ts';
import { clusterFlags, storageArgument } from '../flags/cluster-flags.ts';
import type { StoredDefinition } from '../../cluster/index.ts';
import { textTable } from '../ui/object-lines.ts';
import { connect } from '../actions/cluster/connect.ts';
import { definitionNames, readStored } from '../actions/storage/definitions.ts';

export const command = defineCommand({
  arguments: [storageArgument],
  flags: {
    ...clusterFlags,
  },
  help: `
Shows for each CustomResourceDefinition on the cluster its storage version, the versions in which objects may be stored
(status.storedVersions), the served versions, and whether its objects need op-sdk storage migrate.`,
  async run(context, parsed, args) {
    const names = await definitionNames(context, args);
    const client = await connect(context, parsed);
    try {
      const definitions = await readStored(client, names, context.signal);
      const pending = definitions.filter(({ needsMigration }) => needsMigration).map(({ name }) => name);
      return {
        result: {
          definitions: definitions.map(
            ({ name, kind, storageVersion, storedVersions, servedVersions, needsMigration }) => ({
              name,
              kind,
              storageVersion,
              storedVersions,
              servedVersions,
              needsMigration,
            }),
          ),
        },
        text: definitions.length === 0 ? 'the project has no CustomResourceDefinitions' : table(definitions),
        ...(pending.length === 0 ? {} : { next: [`op-sdk storage migrate ${pending.join(' ')}`] }),
      };
    } finally {
      await client.close();
    }
  },
});

function table(definitions: readonly StoredDefinition[]): string {
  return textTable([
    ['NAME', 'STORAGE', 'STORED', 'SERVED', 'MIGRATION'],
    ...definitions.map(({ name, storageVersion, storedVersions, servedVersions, needsMigration }) => [
      name,
      storageVersion,
      storedVersions.join(','),
      servedVersions.join(','),
      needsMigration ? 'needed' : 'not needed',
    ]),
  ]);
}
