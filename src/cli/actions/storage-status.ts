import type { StoredDefinition } from '../../cluster/storage/index.ts';
import type { Action } from '../command.ts';
import { textTable } from '../ui/text-table.ts';
import { connect } from './cluster/connect.ts';
import { definitionNames } from './storage/project-definitions.ts';
import { readStored } from './storage/read-definitions.ts';

/** `op-sdk storage status`. */
export const run: Action = async (context, parsed, args) => {
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
};

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
