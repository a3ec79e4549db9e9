import type { Metafile } from 'esbuild';
import type { Finding } from '../errors/index.ts';

/** What a file of the bundle weighs. */
export interface BundleSize {
  /** Bytes of everything that is loaded at the start: the entry and what it imports statically. */
  readonly hot: number;
  /** Bytes of all scripts, with chunks that are loaded when needed. */
  readonly total: number;
}

/** Packages and rooms of op-sdk that only its command line needs. Patterns of paths as the metafile gives them. */
const tools =
  /(?:^|\/)node_modules\/(commander|handlebars|typescript|ts-json-schema-generator|execa|yaml|esbuild)\//;
const ownRooms =
  /(?:^|\/)opsdk\/(?:dist|src)\/(cli|scaffold|schema|manifests|build|testing|project|kustomize)\//;
const ownFile = /(?:^|\/)opsdk\/(?:dist|src)\//;

/** Tools of development that are in the bundle because this package imports them, each with the way by which it was reached. */
export function forbiddenInputs(
  metafile: Metafile,
  entry: string,
  isOwn: (input: string) => boolean = (input) => ownFile.test(input),
): readonly Finding[] {
  const reachedFrom = importers(metafile, entry);
  const seen = new Set<string>();
  return Object.keys(metafile.inputs).flatMap((input): readonly Finding[] => {
    const name =
      tools.exec(input)?.[1] ??
      (ownRooms.exec(input)?.[1] ? `opsdk/${ownRooms.exec(input)?.[1] ?? ''}` : undefined);
    const chain = chainTo(input, reachedFrom);
    // A package that the operator itself imports is its author's choice.
    const viaOwn = ownRooms.test(input) || chain.some((step) => isOwn(step));
    if (name === undefined || !viaOwn || seen.has(name)) return [];
    seen.add(name);
    const user = chain.findLast((step) => !step.includes('node_modules/') && !isOwn(step)) ?? entry;
    return [
      {
        code: 'build/forbidden-package',
        message: `the bundle holds ${name}, which belongs to development: ${chain.join(' → ')}`,
        where: { file: user },
        fix: ['import from opsdk and opsdk/k8s/* only what runs in the operator'],
      },
    ];
  });
}

/** For each input the one by which it was first reached, breadth first, so that chains are short. */
function importers(metafile: Metafile, entry: string): ReadonlyMap<string, string | undefined> {
  const reachedFrom = new Map<string, string | undefined>([[entry, undefined]]);
  for (const input of reachedFrom.keys()) {
    for (const { path } of metafile.inputs[input]?.imports ?? [])
      if (!reachedFrom.has(path)) reachedFrom.set(path, input);
  }
  return reachedFrom;
}

function chainTo(input: string, reachedFrom: ReadonlyMap<string, string | undefined>): readonly string[] {
  const chain: string[] = [];
  for (let step: string | undefined = input; step !== undefined; step = reachedFrom.get(step))
    chain.unshift(step);
  return chain;
}

/** The weight of a bundle's scripts. */
export function bundleSize(metafile: Metafile, entryOutput: string): BundleSize {
  const scripts = Object.entries(metafile.outputs).filter(([name]) => name.endsWith('.mjs'));
  const hot = new Set([entryOutput]);
  for (const name of hot) {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement') hot.add(path);
  }
  const sum = (outputs: readonly (readonly [string, { readonly bytes: number }])[]): number =>
    outputs.reduce((total, [, { bytes }]) => total + bytes, 0);
  return { hot: sum(scripts.filter(([name]) => hot.has(name))), total: sum(scripts) };
}
