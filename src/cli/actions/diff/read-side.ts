import {
  readDefinitions,
  type Definition,
  type PlacedDocument,
  placeOfChange,
  type CrdChange,
} from '../../../kubernetes/crd/index.ts';
import type { Finding, Where } from '../../../base/errors/index.ts';
import { crdFieldLocator, generateManifests } from '../../../compiler/manifests/index.ts';
import { layout } from '../../../project/project/index.ts';
import { jsonMapOf, jsonTextOf } from '../../../base/util/json-map.ts';
import type { CliContext } from '../../command.ts';
import { projectWord } from '../../flags/words.ts';
import { placeOfSide, readDocuments } from './read-documents.ts';

/**
 * One side (old or new) of a comparison. Its findings are collected instead of thrown, so that the findings of both sides can be reported
 * together.
 */
export interface Side {
  readonly definitions: readonly Definition[];
  readonly findings: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/**
 * Reads the CustomResourceDefinitions that an argument names: a file, a folder (all YAML and JSON files below it), `git:REF[:PATH]`, `-`
 * for standard input, or `project`. Other objects in the same files are ignored.
 * @param name the argument; a path is relative to the working directory of the command
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
    // Locations refer to the TypeScript sources, because people edit the sources and not the generated manifest.
    locate: (path) =>
      placeOf(jsonTextOf(jsonMapOf(document['metadata'])['name']), fieldText(path)) ?? { file },
  }));
}

/** Formats a path of keys in the API server's notation, such as `spec.versions[0].schema.openAPIV3Schema.properties[spec]`. */
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
        : 'name a file or a folder with CustomResourceDefinitions, or check the output of the command before the pipe',
    ],
  };
}

/** A change of a CRD, with its location in the files of the repository. */
export interface PlacedChange {
  readonly change: CrdChange;
  /** Location of the changed field. Undefined if no file in the checkout contains the field. */
  readonly where: Where | undefined;
}

/**
 * Returns the changes, each with its location in the checkout.
 * @param names the arguments of the command
 */
export function placedChanges(
  changes: readonly CrdChange[],
  { old, now, names }: { readonly old: Side; readonly now: Side; readonly names: readonly string[] },
  context: Pick<CliContext, 'cwd' | 'env'>,
): readonly PlacedChange[] {
  return changes.map((change) => ({
    change,
    where: placeOfSide(placeOfChange(change, old.definitions, now.definitions), names, context),
  }));
}
