import { defineCommand } from '../command.ts';
import { clusterFlags, storageArgument } from '../flags/cluster-flags.ts';
import { serverDryRunFlag } from '../flags/common.ts';
import { migrateStorage, type Migration } from '../../cluster/index.ts';
import type { Finding } from '../../base/errors/index.ts';
import { connect } from '../actions/cluster/connect.ts';
import { definitionNames, readStored } from '../actions/storage/definitions.ts';

export const command = defineCommand({
  arguments: [storageArgument],
  flags: {
    ...clusterFlags,
    ...serverDryRunFlag,
  },
  help: `
Rewrites every object of the definitions whose objects may be stored in another version than the storage version: by
an empty patch, which changes only how the API server stores the object. When all objects of a definition are
rewritten, the other versions are removed from its status.storedVersions, and may then be removed from the definition.

It may be interrupted and run again at any time. Operators go on working; the webhook that converts must run.
Needed permissions: list and patch of the objects, get of customresourcedefinitions, patch of
customresourcedefinitions/status.`,
  async run(context, options, args) {
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
  },
});

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
