import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

/** CRDs by `metadata.name`. */
export type Crds = ReadonlyMap<string, Crd>;

/** As much of a CRD as is looked at by name. */
export interface Crd {
  readonly metadata: { readonly name: string };
}

/** The Go command; GO names another than the one on the PATH. */
const go = process.env.GO ?? 'go';

/**
 * What controller-gen makes of the Go packages in `kinds`, or why it cannot be had: no Go, or no module proxy.
 * @throws Error when controller-gen is there and refuses the packages
 */
export function controllerGenCrds(): Crds | { readonly missing: string } {
  if (spawnSync(go, ['version']).status !== 0) return { missing: 'no go on the PATH' };
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-controller-gen-'));
  try {
    const program = join(folder, 'controller-gen');
    const build = runGo('build', '-o', program, 'sigs.k8s.io/controller-tools/cmd/controller-gen');
    if (build.status !== 0) return { missing: `go build: ${build.stderr}` };
    // The types that the kinds embed are modules of their own.
    const packages = runGo('list', '-deps', './kinds/...');
    if (packages.status !== 0) return { missing: `go list: ${packages.stderr}` };
    const generators = 'crd:allowDangerousTypes=true,generateEmbeddedObjectMeta=true';
    const args = [generators, 'paths=./kinds/...', `output:crd:dir=${folder}/crds`];
    const generated = spawnSync(program, args, { cwd: import.meta.dirname, encoding: 'utf8' });
    if (generated.status !== 0) throw new Error(`controller-gen: ${generated.stderr}`);
    return readCrds(join(folder, 'crds'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The CRDs in the files of a folder. */
export function readCrds(folder: string): Crds {
  const crds = readdirSync(folder).map((name) => parse(readFileSync(join(folder, name), 'utf8')) as Crd);
  return new Map(crds.map((crd) => [crd.metadata.name, crd]));
}

function runGo(...args: readonly string[]) {
  return spawnSync(go, args, { cwd: import.meta.dirname, encoding: 'utf8' });
}
