import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ensureHelm, orUnavailable } from '../../../scripts/lib/test-programs.mjs';
import { parseKubernetesYaml, type ManifestObject } from '../../../src/kubernetes/yaml/index.ts';
import type { ChartFile } from '../../../src/project/chart/index.ts';

/** Names of the programs, one for each release of Helm that charts have to work with. */
export const helms = ['helm4', 'helm3'] as const;
export type HelmProgram = (typeof helms)[number];

const found = await orUnavailable(ensureHelm());
/** Why there is no Helm on this machine. */
export const missing = found instanceof Error ? found.message : undefined;

/** A release for `helm template`. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** A chart in a folder of its own, which ends with it. */
export class ChartFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'op-sdk-chart-'));
  readonly chart = join(this.path, 'chart');

  constructor(files: readonly ChartFile[]) {
    for (const { path, content } of files) {
      mkdirSync(dirname(join(this.chart, path)), { recursive: true });
      writeFileSync(join(this.chart, path), content);
    }
  }

  /** Returns the objects of a release, in Helm's order. @throws Error with what Helm says if it renders nothing */
  template(helm: HelmProgram, { name, namespace, values = {} }: Release): readonly ManifestObject[] {
    const args = ['template', name, this.chart, '--namespace', namespace, '--values', this.#values(values)];
    const text = execFileSync(programOf(helm), args, { encoding: 'utf8', stdio: 'pipe', maxBuffer: 1 << 28 });
    return parseKubernetesYaml(text, helm).map(({ value }) => value as ManifestObject);
  }

  /** Returns what `helm lint --strict` finds; empty if nothing. */
  lint(helm: HelmProgram, values: Readonly<Record<string, unknown>> = {}): string {
    const args = ['lint', '--strict', this.chart, '--values', this.#values(values), '--quiet'];
    const { status, stdout, stderr } = spawnSync(programOf(helm), args, { encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}${stderr}`;
  }

  #values(values: Readonly<Record<string, unknown>>): string {
    const path = join(this.path, 'values.json');
    writeFileSync(path, JSON.stringify(values));
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true });
  }
}

/** Returns the path of a program. @throws ProgramsUnavailable with the reason if it is {@link missing} */
export function programOf(helm: HelmProgram): string {
  if (found instanceof Error) throw found;
  return join(found, helm);
}

/**
 * Runs Helm with settings, repositories and a cache of its own.
 *
 * @param folder folder for them, and the working directory
 * @returns what Helm prints
 */
export async function runHelm(
  helm: HelmProgram,
  args: readonly string[],
  { folder, kubeconfig = '/dev/null' }: { readonly folder: string; readonly kubeconfig?: string },
): Promise<string> {
  const homes = ['CACHE', 'CONFIG', 'DATA'].map((name) => [`HELM_${name}_HOME`, join(folder, helm, name)]);
  const env = { ...process.env, ...Object.fromEntries(homes), KUBECONFIG: kubeconfig };
  const options = { env, cwd: folder, maxBuffer: 1 << 28 };
  return (await promisify(execFile)(programOf(helm), [...args], options)).stdout;
}

/** Serves the files of a folder, which need not exist yet, on a port of loopback. */
export async function serveFolder(folder: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    try {
      response.end(readFileSync(join(folder, new URL(request.url ?? '', 'http://x').pathname)));
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
