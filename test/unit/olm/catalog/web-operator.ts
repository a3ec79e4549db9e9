import { join } from 'node:path';
import { expect } from 'vitest';
import { runCli } from '../../../helpers/run-cli.ts';
import type { Loose } from '../bundle/objects.ts';
import { smallBundle, writeBundle } from '../bundle/validate/bundle-folder.ts';

export const image = ['--image', 'registry.example.com/{{.Package}}/bundle:v{{.Version}}'];

/** A bundle of another version, and the folder with `bundle` in it. */
export function bundleOf(version: string, change: (bundle: Loose) => void = () => undefined): string {
  const bundle = smallBundle();
  bundle.csv.metadata.name = `web-operator.v${version}`;
  bundle.csv.spec.version = version;
  change(bundle);
  return join(writeBundle(bundle), 'bundle');
}

export async function succeed(cwd: string, ...argv: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli(argv, { cwd });
  expect(code, stderr).toBe(0);
  return stdout;
}
