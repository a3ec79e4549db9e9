import { posix } from 'node:path';
import { formatWhere } from '../../../base/errors/format.ts';
import { OpSdkError, type FindingList, type Where } from '../../../base/errors/index.ts';
import { emptyConfig, type TransformerConfig } from '../config/transformer-config.ts';
import { findDuplicates, idKey } from '../find-duplicates.ts';
import { absorb } from '../generators/absorb.ts';
import { describeId } from '../ids.ts';
import { mergeReported } from '../load/load-config.ts';
import type { Folder, Generated, Template } from '../load/kustomization.ts';
import { limits } from '../load/limits.ts';
import { idOf, newResource, type Resource } from '../resource.ts';
import { addVariables, bindVariables } from '../vars/resolve-variables.ts';
import type { Variable } from '../vars/variable.ts';
import { copyJson } from './copy-json.ts';
import { noOrigins, noteOrigins, type Origins } from './origins.ts';
import { transform } from './transform.ts';

const budgetNames = {
  values: 'values',
  folders: 'folders, each use counted',
  generatedBytes: 'bytes that generators and buildMetadata make, each use counted',
} as const;

/** The resources, configuration and variables gathered from folders. */
export interface Accumulated {
  readonly resources: Resource[];
  config: TransformerConfig;
  readonly variables: Map<string, Variable>;
}

const nothing = (): Accumulated => ({ resources: [], config: emptyConfig, variables: new Map() });

/** The resources of a folder, and of all folders in it, with all changes but those of references. */
export function accumulate(folder: Folder, findings: FindingList): Accumulated {
  const budget = { values: 0, folders: 0, generatedBytes: 0 };
  const isNoted = folder.fields.buildMetadata.length > 0;
  return accumulateInto(nothing(), folder, '');

  /** A component adds to, and changes, what its parent has gathered; a kustomization starts with nothing. */
  function accumulateInto(accumulated: Accumulated, current: Folder, path: string): Accumulated {
    const origins = isNoted ? originsOf(current, path) : noOrigins;
    const { resources, variables } = accumulated;
    spend('folders', current);
    const known = new Map(resources.map((resource) => [idKey(resource), resource]));
    const add = (resource: Resource): void => {
      const first = known.get(idKey(resource));
      if (first === undefined) {
        known.set(idKey(resource), resource);
        resources.push(resource);
      } else reportDuplicate(formatWhere(first.where), resource);
    };
    for (const [index, part] of current.resources.entries()) {
      const entry = current.fields.resources[index]?.path ?? '';
      if ('root' in part) {
        const inner = accumulateInto(nothing(), part, posix.join(path, entry));
        inner.resources.forEach(add);
        addConfig(accumulated, inner.config, part);
        addVariables(variables, inner.variables.values(), findings);
      } else {
        for (const template of part) {
          const resource = instantiate(template, current);
          origins.ofFile(resource, entry);
          add(resource);
        }
      }
    }
    addConfig(accumulated, current.config, current);
    for (const generated of current.generated)
      absorb(resources, generate(generated, current, origins), generated.behavior, findings);
    for (const [index, component] of current.components.entries())
      accumulateInto(accumulated, component, posix.join(path, current.fields.components[index]?.path ?? ''));
    const [transformer] = current.fields.transformerPlugins;
    if (isNoted && transformer !== undefined)
      findings.add({
        code: 'kustomize/unsupported-field',
        message: 'buildMetadata: op-sdk does not note what `transformers` change',
        where: transformer.where,
        fix: ['use the fields of the kustomization instead, or leave buildMetadata out'],
      });
    if (current.components.length > 0) findDuplicates(resources, reportDuplicate);
    transform(resources, current, accumulated.config, origins, findings);
    bindVariables(resources, current.fields.vars, findings);
    addVariables(variables, current.fields.vars, findings);
    return accumulated;
  }

  function addConfig(accumulated: Accumulated, config: TransformerConfig, { file }: Folder): void {
    accumulated.config = mergeReported(accumulated.config, config, { where: { file } }, findings);
  }

  function instantiate({ object, where }: Template, current: Folder): Resource {
    return newResource(
      copyJson(object, () => spend('values', current)),
      where,
    );
  }

  function generate(generated: Generated, current: Folder, origins: Origins): Resource {
    spend('generatedBytes', current, generated.bytes);
    const resource = { ...instantiate(generated, current), isHashed: generated.isHashed };
    if (generated.isPlugin && isNoted)
      findings.add({
        code: 'kustomize/unsupported-field',
        message: 'buildMetadata: op-sdk does not note the origin of what `generators` make',
        where: generated.where,
        fix: ['move the generator to configMapGenerator or secretGenerator, or leave buildMetadata out'],
      });
    origins.ofGenerator(resource);
    return resource;
  }

  function originsOf(current: Folder, path: string): Origins {
    const refuse = (shown: string, where: Where): void =>
      findings.add({
        code: 'kustomize/unsupported-field',
        message: `buildMetadata: op-sdk does not write the path ${shown} into an annotation`,
        where,
        fix: ['name files and folders by letters, digits, - and _ only, or leave buildMetadata out'],
      });
    const kustomization = posix.basename(current.file);
    return noteOrigins(path, kustomization, refuse, (bytes) => spend('generatedBytes', current, bytes));
  }

  function spend(what: keyof typeof budgetNames, { file }: Folder, amount = 1): void {
    budget[what] += amount;
    if (budget[what] <= limits[what]) return;
    throw new OpSdkError([
      ...findings.all,
      {
        code: 'kustomize/too-large',
        message: `the build has more than ${limits[what]} ${budgetNames[what]}`,
        where: { file },
        fix: ['look for aliases or folders that multiply each other'],
      },
    ]);
  }

  function reportDuplicate(first: string, resource: Resource): void {
    findings.add({
      code: 'kustomize/duplicate-resource',
      message: `there is another resource ${describeId(idOf(resource))}, at ${first}`,
      where: resource.where,
      fix: ['remove one of them, or give it another name or namespace'],
    });
  }
}
