import { checkStorage, readStoredDefinition } from '../../cluster/storage/index.ts';
import { refusalAfter } from '../../cluster/apply/refusal.ts';
import { FindingList } from '../../base/errors/index.ts';
import { loadProject } from '../../project/project/index.ts';
import type { Action } from '../command.ts';
import { connect } from './cluster/connect.ts';
import { projectDefinitions } from './storage/project-definitions.ts';
import { versionUses } from './storage/version-uses.ts';

/** `op-sdk storage check`. */
export const run: Action = async (context, parsed) => {
  const definitions = await projectDefinitions(context);
  const uses = await versionUses(context.cwd, await loadProject(context.cwd), definitions);
  const client = await connect(context, parsed);
  const findings = new FindingList();
  try {
    for (const definition of definitions) {
      const title = `CustomResourceDefinition ${definition.name}`;
      try {
        const stored = await readStoredDefinition(client, definition.name, context.signal);
        findings.add(...checkStorage(definition, stored, uses));
      } catch (error) {
        findings.add(...refusalAfter(findings.all, error, { title, where: { object: title } }));
      }
    }
  } finally {
    await client.close();
  }
  findings.throwIfAny();
  return {
    result: { definitions: definitions.map(({ name }) => name) },
    text: `${definitions.length} CustomResourceDefinitions: no version is missing that is stored or used`,
  };
};
