import { expect } from 'vitest';
import { run } from '../../scripts/lib/run.mjs';

/** op-sdk as a project has it among its dependencies. */
export const opSdk = 'node_modules/.bin/op-sdk';

/** Runs a command in a project; it must succeed. */
export async function mustIn(project: string, ...[file = '', ...args]: readonly string[]): Promise<void> {
  const { code, output } = await run(file, args, { cwd: project, capture: true });
  expect(code, `${[file, ...args].join(' ')}\n${output}`).toBe(0);
}

/** What a scaffolded project brings to check itself, and its bundle. */
export async function passesItsOwnChecks(project: string): Promise<void> {
  await mustIn(project, 'npm', 'test');
  await mustIn(project, 'npm', 'run', 'lint');
  await mustIn(project, 'npm', 'run', 'typecheck');
  await mustIn(project, opSdk, 'generate', 'manifests', '--check');
  await mustIn(project, 'npm', 'run', 'build');
}
