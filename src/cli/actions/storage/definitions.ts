import {
  type ProjectDefinition,
  isCrd,
  readStoredDefinition,
  type StoredDefinition,
  refusalAfter,
} from '../../../cluster/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import { OpSdkError, type Finding, FindingList } from '../../../base/errors/index.ts';
import { jsonListOf, jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import { crdInput } from '../input/manifests.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';

/**
 * Returns the CustomResourceDefinitions of config/crd. @throws OpSdkError outside of a project, or if the definitions cannot be rendered
 */
export async function projectDefinitions(context: CliContext): Promise<readonly ProjectDefinition[]> {
  const objects = (await crdInput(context, {}, 'install')) ?? [];
  return objects.filter(({ object }) => isCrd(object)).map(definitionOf);
}

function definitionOf({ object, where }: PlacedObject): ProjectDefinition {
  const spec = jsonMapOf(object['spec']);
  return {
    name: object.metadata.name,
    group: jsonTextOf(spec['group']),
    kind: jsonTextOf(jsonMapOf(spec['names'])['kind']),
    versions: jsonListOf(spec['versions'])
      .map(jsonMapOf)
      .map(({ name, served, storage }) => ({
        name: jsonTextOf(name),
        served: served === true,
        storage: storage === true,
      })),
    where,
  };
}

/**
 * Returns the names of the CustomResourceDefinitions that the arguments of a command select.
 * @param args names of definitions, which need no project, or kinds of the project; if empty, all definitions of the project are selected
 * @throws OpSdkError with a finding for each unknown kind
 */
export async function definitionNames(
  context: CliContext,
  args: readonly string[],
): Promise<readonly string[]> {
  if (args.length > 0 && args.every((arg) => arg.includes('.'))) return [...new Set(args)];
  const definitions = await projectDefinitions(context);
  if (args.length === 0) return definitions.map(({ name }) => name);
  const findings: Finding[] = [];
  const names = args.flatMap((arg) => {
    if (arg.includes('.')) return [arg];
    const found = definitions.filter(({ kind }) => kind.toLowerCase() === arg.toLowerCase());
    if (found.length === 0) findings.push(unknownKind(arg, definitions));
    return found.map(({ name }) => name);
  });
  if (findings.length > 0) throw new OpSdkError(findings);
  return [...new Set(names)];
}

function unknownKind(arg: string, definitions: readonly ProjectDefinition[]): Finding {
  const kinds = definitions.map(({ kind }) => kind);
  const closest = closestName(arg, kinds);
  return {
    code: 'cluster/unknown-kind',
    message: `expected a kind of the project or the name of a CustomResourceDefinition, got '${arg}'`,
    fix: [
      closest === undefined
        ? `name one of: ${definitions.map(({ name }) => name).join(', ')}`
        : `did you mean '${closest}'?`,
    ],
  };
}

/**
 * Reads the CustomResourceDefinitions with the given names from a cluster.
 * @throws OpSdkError `cluster/crd-not-installed` for each definition that is not on the cluster, `cluster/forbidden`
 */
export async function readStored(
  client: KubeClient,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly StoredDefinition[]> {
  const findings = new FindingList();
  const found: StoredDefinition[] = [];
  for (const name of names) {
    const title = `CustomResourceDefinition ${name}`;
    try {
      const definition = await readStoredDefinition(client, name, signal);
      if (definition !== undefined) found.push(definition);
      else
        findings.add({
          code: 'cluster/crd-not-installed',
          message: `${title} is not on the cluster`,
          where: { object: title },
          fix: ['op-sdk install'],
        });
    } catch (error) {
      findings.add(...refusalAfter(findings.all, error, { title, where: { object: title } }));
    }
  }
  findings.throwIfAny();
  return found;
}
