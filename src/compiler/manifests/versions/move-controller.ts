import { relativeImport } from '../../../project/project/index.ts';
import { fileImports, leadsTo, textsIn, type TextEdit } from '../../source/index.ts';
import type { FileEdits } from './file-edits.ts';
import type { VersionSources } from './version-sources.ts';

/** From which version of a kind to which its controller goes. */
export interface ControllerMove {
  readonly group: string;
  readonly kind: string;
  readonly from: { readonly version: string; readonly file: string };
  readonly to: { readonly version: string; readonly file: string };
}

/**
 * Lets files of a controller import the types of another version: its sources, its tests, and main. Objects of the kind that they
 * write down get the apiVersion of that version.
 * @param files their texts, by paths relative to the project
 * @returns `file:line` of what still names the former version in these files
 */
export function moveController(
  edits: FileEdits,
  { program }: VersionSources,
  files: ReadonlyMap<string, string>,
  { group, kind, from, to }: ControllerMove,
): readonly string[] {
  const left: string[] = [];
  for (const [file, text] of files) {
    const imports = fileImports(program, file, text)
      .filter(({ target }) => leadsTo(target, from.file))
      .map(({ start, end, specifier }): TextEdit => {
        const named = relativeImport(file, to.file);
        const isAlias = !specifier.startsWith('.');
        const ending =
          /\.[cm]?js$/.exec(specifier)?.[0] ?? (isAlias || /\.[cm]?ts$/.test(specifier) ? '.ts' : '');
        return { start, end, text: named.replace(/\.ts$/, ending) };
      });
    const apiVersions = textsIn(program, file, text, `${group}/${from.version}`);
    const own = apiVersions.filter(({ neighbours }) => neighbours.get('kind') === kind);
    left.push(...apiVersions.filter((each) => !own.includes(each)).map(({ line }) => `${file}:${line}`));
    const literals = own.map(({ start, end }): TextEdit => ({ start, end, text: `${group}/${to.version}` }));
    edits.add(file, text, [...imports, ...literals]);
  }
  return left;
}

/** Where files import another one: `file:line` of each. */
export function importersOf(
  { program }: VersionSources,
  files: ReadonlyMap<string, string>,
  imported: string,
): readonly string[] {
  return [...files].flatMap(([file, text]) =>
    fileImports(program, file, text)
      .filter(({ target }) => leadsTo(target, imported))
      .map(({ line }) => `${file}:${line}`),
  );
}
