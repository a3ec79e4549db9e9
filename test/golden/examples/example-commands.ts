import { join } from 'node:path';
import { expect } from 'vitest';
import { repositoryRoot } from '../../helpers/source-files.ts';
import { runCli } from '../../helpers/run-cli.ts';

/** Runs a command in a project, which must succeed. @returns its standard output */
export async function runIn(project: string, ...argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(argv, { cwd: project });
  expect(code, `${argv.join(' ')}\n${stderr}`).toBe(0);
  return stdout;
}

/** Expects that the manifests of a project follow from its sources, without a warning. */
export async function expectManifests(project: string): Promise<void> {
  const output = await runIn(project, 'generate', 'manifests', '--check', '-o', 'json');
  const { ok, warnings } = JSON.parse(output) as Readonly<Record<string, unknown>>;
  expect({ ok, warnings }).toEqual({ ok: true, warnings: [] });
}

/** Returns the folder of an example. */
export function exampleFolder(name: string): string {
  return join(repositoryRoot, 'examples', name);
}
