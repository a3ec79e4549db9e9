import { posix } from 'node:path';
import { type FindingList, formatWhere, OpSdkError, type Where } from '../../../base/errors/index.ts';
import { emptyConfig, type TransformerConfig } from '../config/transformer-config.ts';
import { absorb } from '../generators/absorb.ts';
import { limits } from '../load/build-files.ts';
import type { Folder, Generated, Template } from '../load/kustomization.ts';
import { mergeReported } from '../load/load-config.ts';
import { describeId, findDuplicates, idKey, idOf, newResource, type Resource } from '../resource.ts';
import { transform } from '../transform/transform.ts';
import { addVariables, bindVariables } from '../vars/resolve-variables.ts';
import type { Variable } from '../vars/variables.ts';
import { copyJson, noOrigins, noteOrigins, type Origins } from './copies.ts';

/** Resources, configuration and variables gathered from a folder and the folders that it includes. */
export interface Accumulated {
  readonly resources: Resource[];
  config: TransformerConfig;
  readonly variables: Map<string, Variable>;
}

const nothing = (): Accumulated => ({ resources: [], config: emptyConfig, variables: new Map() });

const budgetNames = {
  values: 'values',
  folders: 'folders, each use counted',
  generatedBytes: 'bytes that generators and buildMetadata make, each use counted',
} as const;

/**
 * Builds the resources of a folder and of all folders that it includes, with all changes except the update of references.
 * @throws OpSdkError `kustomize/too-large`
 */
export function accumulate(folder: Folder, findings: FindingList): Accumulated {
  return new Accumulator(findings, folder.fields.buildMetadata.length > 0).addFolder(nothing(), folder, '');
}

class Accumulator {
  readonly #findings: FindingList;
  /** True if annotations record the origins of resources. */
  readonly #isNoted: boolean;
  readonly #spent = { values: 0, folders: 0, generatedBytes: 0 };

  constructor(findings: FindingList, isNoted: boolean) {
    this.#findings = findings;
    this.#isNoted = isNoted;
  }

  /**
   * Builds a folder and adds its resources to the accumulated ones. A component starts with the resources of its parent and changes them; a
   * kustomization starts without any resources.
   */
  addFolder(accumulated: Accumulated, folder: Folder, path: string): Accumulated {
    const origins = this.#isNoted ? this.#originsOf(folder, path) : noOrigins;
    const { resources, variables } = accumulated;
    this.#spend('folders', folder);
    this.#addResources(accumulated, folder, path, origins);
    this.#addConfig(accumulated, folder.config, folder);
    for (const generated of folder.generated)
      absorb(resources, this.#generate(generated, folder, origins), generated.behavior, this.#findings);
    for (const [index, component] of folder.components.entries())
      this.addFolder(accumulated, component, posix.join(path, folder.fields.components[index]?.path ?? ''));
    const [transformer] = folder.fields.transformerPlugins;
    if (this.#isNoted && transformer !== undefined)
      this.#findings.add({
        code: 'kustomize/unsupported-field',
        message: 'buildMetadata: op-sdk cannot record in annotations what `transformers` change',
        where: transformer.where,
        fix: ['use the fields of the kustomization instead, or leave buildMetadata out'],
      });
    if (folder.components.length > 0)
      findDuplicates(resources, (first, resource) => this.#reportDuplicate(first, resource));
    transform(resources, folder, accumulated.config, origins, this.#findings);
    bindVariables(resources, folder.fields.vars, this.#findings);
    addVariables(variables, folder.fields.vars, this.#findings);
    return accumulated;
  }

  /** Adds the objects of files, and the resources of other kustomizations, that a folder lists under `resources`. */
  #addResources(accumulated: Accumulated, folder: Folder, path: string, origins: Origins): void {
    const { resources, variables } = accumulated;
    const known = new Map(resources.map((resource) => [idKey(resource), resource]));
    const add = (resource: Resource): void => {
      const first = known.get(idKey(resource));
      if (first === undefined) {
        known.set(idKey(resource), resource);
        resources.push(resource);
      } else this.#reportDuplicate(formatWhere(first.where), resource);
    };
    for (const [index, part] of folder.resources.entries()) {
      const entry = folder.fields.resources[index]?.path ?? '';
      if ('root' in part) {
        const inner = this.addFolder(nothing(), part, posix.join(path, entry));
        inner.resources.forEach(add);
        this.#addConfig(accumulated, inner.config, part);
        addVariables(variables, inner.variables.values(), this.#findings);
      } else {
        for (const template of part) {
          const resource = this.#instantiate(template, folder);
          origins.ofFile(resource, entry);
          add(resource);
        }
      }
    }
  }

  #addConfig(accumulated: Accumulated, config: TransformerConfig, { file }: Folder): void {
    accumulated.config = mergeReported(accumulated.config, config, { where: { file } }, this.#findings);
  }

  #instantiate({ object, where }: Template, folder: Folder): Resource {
    return newResource(
      copyJson(object, () => this.#spend('values', folder)),
      where,
    );
  }

  #generate(generated: Generated, folder: Folder, origins: Origins): Resource {
    this.#spend('generatedBytes', folder, generated.bytes);
    const resource = { ...this.#instantiate(generated, folder), isHashed: generated.isHashed };
    if (generated.isPlugin && this.#isNoted)
      this.#findings.add({
        code: 'kustomize/unsupported-field',
        message: 'buildMetadata: op-sdk cannot record in annotations the origin of what `generators` make',
        where: generated.where,
        fix: ['move the generator to configMapGenerator or secretGenerator, or leave buildMetadata out'],
      });
    origins.ofGenerator(resource);
    return resource;
  }

  #originsOf(folder: Folder, path: string): Origins {
    const refuse = (shown: string, where: Where): void =>
      this.#findings.add({
        code: 'kustomize/unsupported-field',
        message: `buildMetadata: op-sdk does not write the path ${shown} into an annotation`,
        where,
        fix: ['name files and folders by letters, digits, - and _ only, or leave buildMetadata out'],
      });
    const kustomization = posix.basename(folder.file);
    return noteOrigins(path, kustomization, refuse, (bytes) => this.#spend('generatedBytes', folder, bytes));
  }

  #spend(what: keyof typeof budgetNames, { file }: Folder, amount = 1): void {
    this.#spent[what] += amount;
    if (this.#spent[what] <= limits[what]) return;
    throw new OpSdkError([
      ...this.#findings.all,
      {
        code: 'kustomize/too-large',
        message: `the build has more than ${limits[what]} ${budgetNames[what]}`,
        where: { file },
        fix: ['look for aliases or folders that multiply each other'],
      },
    ]);
  }

  #reportDuplicate(first: string, resource: Resource): void {
    this.#findings.add({
      code: 'kustomize/duplicate-resource',
      message: `the resource ${describeId(idOf(resource))} appears twice; the other one is at ${first}`,
      where: resource.where,
      fix: ['remove one of them, or give it another name or namespace'],
    });
  }
}
