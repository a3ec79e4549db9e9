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

/** Why there is nothing to compare with: no Go, or no module proxy. */
interface Missing {
  readonly missing: string;
}

/**
 * What controller-gen makes of the Go packages in `kinds`.
 * @throws Error when controller-gen is there and refuses the packages
 */
export function controllerGenCrds(): Crds | Missing {
  const generators = 'crd:allowDangerousTypes=true,generateEmbeddedObjectMeta=true';
  return runControllerGen([generators, 'paths=./kinds/...'], 'crd', readCrds);
}

/**
 * The manifests.yaml that controller-gen makes of the Go package in `webhooks`, as it is.
 * @throws Error when controller-gen is there and refuses the package
 */
export function controllerGenWebhooks(): { readonly text: string } | Missing {
  return runControllerGen(['webhook', 'paths=./webhooks/...'], 'webhook', (folder) => ({
    text: readFileSync(join(folder, 'manifests.yaml'), 'utf8'),
  }));
}

function runControllerGen<T>(
  args: readonly string[],
  output: string,
  read: (folder: string) => T,
): T | Missing {
  if (spawnSync(go, ['version']).status !== 0) return { missing: 'no go on the PATH' };
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-controller-gen-'));
  try {
    const program = join(folder, 'controller-gen');
    const build = runGo('build', '-o', program, 'sigs.k8s.io/controller-tools/cmd/controller-gen');
    if (build.status !== 0) return { missing: `go build: ${build.stderr}` };
    // The types that the kinds embed are modules of their own.
    const packages = runGo('list', '-deps', './kinds/...');
    if (packages.status !== 0) return { missing: `go list: ${packages.stderr}` };
    const made = join(folder, 'made');
    const generated = spawnSync(program, [...args, `output:${output}:dir=${made}`], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    if (generated.status !== 0) throw new Error(`controller-gen: ${generated.stderr}`);
    return read(made);
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
