import { readDefinitions, type Definition, type PlacedDocument } from '../../../kubernetes/crd/diff/index.ts';
import type { Finding } from '../../../base/errors/index.ts';
import { crdFieldLocator, generateManifests } from '../../../compiler/manifests/index.ts';

import { layout } from '../../../project/project/index.ts';
import { jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { CliContext } from '../../command.ts';
import { projectWord } from '../../flags/words.ts';
import { readDocuments } from './read-documents.ts';

/** One side of a comparison. Findings are collected, so that those of both sides can be reported at once. */
export interface Side {
  readonly definitions: readonly Definition[];
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/**
 * Reads the CustomResourceDefinitions that an argument names: a file, a folder (all YAML and JSON files below it),
 * `git:REF[:PATH]`, `-`, or `project`. Other objects beside them are passed over.
 *
 * @param name relative to the folder of the command
 */
export async function readSide(context: CliContext, name: string, side: 'old' | 'new'): Promise<Side> {
  const warnings: Finding[] = [];
  const { documents, findings } = await readDocuments(context, name, {
    gitPath: `${layout.crd}/bases`,
    project: () => projectDocuments(context, warnings),
  });
  const read = readDefinitions(documents, side);
  const all = [...findings, ...read.findings];
  if (all.length === 0 && read.definitions.length === 0) all.push(nothing(name, side));
  return { definitions: read.definitions, findings: all, warnings: [...warnings, ...read.warnings] };
}

function projectDocuments(context: CliContext, warnings: Finding[]): readonly PlacedDocument[] {
  const options = { projectDir: context.cwd, only: 'crd' } as const;
  const generated = generateManifests(options);
  warnings.push(...generated.warnings);
  const placeOf = crdFieldLocator(options);
  return generated.files.map(({ document, path: file }) => ({
    value: document,
    // Changes are made in the sources, so that is where they are looked at.
    locate: (path) =>
      placeOf(jsonTextOf(jsonMapOf(document['metadata'])['name']), fieldText(path)) ?? { file },
  }));
}

/** Keys as the API server names a field: `spec.versions[0].schema.openAPIV3Schema.properties[spec]`. */
function fieldText(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, key, index) => {
    if (typeof key === 'number' || path[index - 1] === 'properties') return `${text}[${key}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

function nothing(name: string, side: 'old' | 'new'): Finding {
  const message = `${side.toUpperCase()} ${name === '-' ? '(standard input)' : name} has no CustomResourceDefinition`;
  return {
    code: 'diff/nothing-to-compare',
    message,
    fix: [
      name === projectWord
        ? 'add a kind with op-sdk create api'
        : 'name a file or a folder with CustomResourceDefinitions, or look at what the command before the pipe says',
    ],
  };
}
