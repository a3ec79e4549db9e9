import { migrateStorage, type Migration } from '../../cluster/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import type { Action } from '../command.ts';
import type { command } from '../commands/storage-migrate.ts';
import { connect } from './cluster/connect.ts';
import { definitionNames, readStored } from './storage/definitions.ts';

/** `op-sdk storage migrate`. */
export const run: Action<typeof command> = async (context, options, args) => {
  const dryRun = options.dryRun === true;
  const { report, signal } = context;
  const names = await definitionNames(context, args);
  const client = await connect(context, options);
  try {
    const definitions = await readStored(client, names, signal);
    const results: ({ readonly name: string; readonly storageVersion: string } & Omit<
      Migration,
      'findings'
    >)[] = [];
    const errors: Finding[] = [];
    for (const definition of definitions) {
      const { name, storageVersion, storedVersions } = definition;
      if (!definition.needsMigration) {
        context.print(`${name}: not needed, all objects are stored in ${storageVersion}`);
        results.push({ name, storageVersion, storedVersions, rewritten: 0, gone: 0 });
        continue;
      }
      const { findings, ...done } = await migrateStorage({
        client,
        definition,
        dryRun,
        signal,
        onProgress: (progress) => report.step(`${name}: ${progressText(progress)}`),
      });
      results.push({ name, storageVersion, ...done });
      errors.push(...findings);
      context.print(`${name}: ${outcomeText(storageVersion, { findings, ...done }, dryRun)}`);
    }
    return { result: { dryRun, definitions: results }, errors };
  } finally {
    await client.close();
  }
};

const progressText = ({
  done,
  remaining,
}: {
  readonly done: number;
  readonly remaining: number | undefined;
}): string => (remaining === undefined ? `${done} objects` : `${done} of about ${done + remaining} objects`);

function outcomeText(
  storageVersion: string,
  { rewritten, findings, storedVersions }: Migration,
  dryRun: boolean,
): string {
  const what = dryRun ? 'would be stored' : 'are stored';
  const written = `${rewritten} objects ${what} in ${storageVersion}`;
  if (findings.length > 0)
    return `${written}, ${findings.length} problems; status.storedVersions stays ${storedVersions.join(',')}`;
  return dryRun ? written : `${written}, status.storedVersions is ${storedVersions.join(',')}`;
}
