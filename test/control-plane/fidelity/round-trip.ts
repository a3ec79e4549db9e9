import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { runCli } from '../../helpers/run-cli.ts';
import type { Crd } from './crd.ts';

/** Reads one definition; timestamps stay text, as in JSON. */
export const readCrd = (file: string): Crd =>
  load(readFileSync(file, 'utf8'), { schema: CORE_SCHEMA }) as Crd;

/**
 * The definitions of some files, imported to TypeScript and generated from it again, by their names.
 * @throws Error if a command does not end with 0
 */
export async function roundTrip(files: readonly string[]): Promise<ReadonlyMap<string, Crd>> {
  const cwd = mkdtempSync(join(tmpdir(), 'op-sdk-fidelity-'));
  const run = async (...argv: string[]): Promise<void> => {
    const { code, stderr } = await runCli(argv, { cwd });
    if (code !== 0) throw new Error(`op-sdk ${argv.join(' ')} ended with ${code}:\n${stderr}`);
  };
  try {
    // What the import would check by itself is what is compared here, with more.
    await run('import', 'crd', ...files, '--output-dir', 'api', '--verify=false');
    await run('generate', 'manifests', '--only', 'crd', '--apis-dir', 'api', '--output-dir', 'out');
    const made = readdirSync(join(cwd, 'out')).map((name) => readCrd(join(cwd, 'out', name)));
    return new Map(made.map((crd) => [crd.metadata.name, crd]));
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
