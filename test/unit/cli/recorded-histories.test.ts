// Projects after random commands are what the commands in PROJECT make of an empty folder: an upgrade takes every difference for an edit.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesWithParts, recordedCommands } from '../../../src/project/project/index.ts';
import { repeatedCommand, userAgentOf } from '../../../src/project/upgrade/replay.ts';
import { createRandom, type Random } from '../../helpers/random.ts';
import { runCli } from '../../helpers/run-cli.ts';
import { isThorough } from '../../helpers/thorough.ts';
import { treeOf } from '../../helpers/tree.ts';

let scratch = '';
beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), 'op-sdk-histories-')));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs a history and what PROJECT records of it, and expects the same scaffolds. Commands that are refused are part of it. */
async function expectRepeatable(name: string, agent: string, history: readonly string[]): Promise<void> {
  const [project, copy] = ['project', 'copy'].map((each) => join(scratch, name, each)) as [string, string];
  for (const folder of [project, copy]) mkdirSync(folder, { recursive: true });
  const run = (cwd: string, argv: readonly string[], npm_config_user_agent: string) =>
    runCli(argv, { cwd, env: { OPSDK_NO_CACHE: '1', npm_config_user_agent } });
  for (const each of history) await run(project, each.split(' '), agent);
  const text = readFileSync(join(project, 'PROJECT'), 'utf8');
  const runs = recordedCommands(text) ?? [];
  const manager = runs[0]?.packageManager;
  for (const each of runs) {
    const { code, stderr } = await run(copy, repeatedCommand(each, '~1.0.0'), userAgentOf(manager));
    expect(code, `${name}: ${JSON.stringify(each)}\n${stderr}`).toBe(0);
  }
  // Monitoring follows the sources: upgrades leave it to `create monitoring`.
  const others = new Set(['PROJECT', ...filesWithParts(text)]);
  const scaffolds = (folder: string) =>
    Object.fromEntries(Object.entries(treeOf(folder)).filter(([path]) => !others.has(path)));
  expect(scaffolds(copy), [name, agent, ...history].join('\n')).toEqual(scaffolds(project));
}

const start = 'init --domain example.com --project-name web --skip-install --opsdk ~1.0.0';
const api = (group: string, version: string, kind: string, ...flags: string[]): string =>
  ['create api --group', group, '--version', version, '--kind', kind, ...flags].join(' ');
const webhook = (group: string, kind: string, ...flags: string[]): string =>
  ['create webhook --group', group, '--version v1 --kind', kind, ...flags].join(' ');

test('the record repeats scopes that were left and restored, and kinds whose namesake is gone', async () => {
  await expectRepeatable('fixed', 'pnpm/10.0.0', [
    `${start} --namespaced`,
    'edit --namespaced=false',
    'edit --namespaced',
    'edit --multigroup=false --force',
    api('db', 'v1', 'Redis'),
    api('web', 'v1', 'Redis'),
    'delete api --group db --kind Redis --sources',
  ]);
});

const agents = ['npm/11.0.0', 'pnpm/10.0.0', 'yarn/1.22.0', 'yarn/4.1.0', 'bun/1.2.0'];

function randomHistory(random: Random): readonly string[] {
  const some = (probability: number, ...flags: string[]): string[] =>
    random.chance(probability) ? [random.pick(flags)] : [];
  const flagged = (command: string, ...flags: string[]): string => [command, ...flags].join(' ');
  const kind = (): [group: string, version: string, kind: string] => [
    random.pick(['web', 'db']),
    random.pick(['v1', 'v1', 'v2']),
    random.pick(['Site', 'Redis']),
  ];
  const commands: readonly (() => string)[] = [
    () =>
      api(
        ...kind(),
        ...some(0.3, '--controller=false', '--storage'),
        ...some(0.2, '--force', '--namespaced=false'),
      ),
    () => 'create api --group apps --version v1 --kind Deployment --resource=false --controller',
    () => {
      const [group, , name] = kind();
      const parts = ['--defaulting', '--programmatic-validation', '--conversion'];
      const provider = some(0.3, '--cert-provider=self-signed', '--cert-provider=cert-manager');
      return webhook(group, name, random.pick(parts), ...provider, ...some(0.2, '--force'));
    },
    () => {
      const [group, version, name] = kind();
      return flagged(
        `delete api --group ${group} --kind ${name} --force`,
        ...some(0.4, `--version=${version}`),
        ...some(0.6, '--sources'),
      );
    },
    () =>
      flagged(
        'edit',
        random.pick([
          '--namespaced',
          '--namespaced=false',
          '--license=none',
          '--license=apache2',
          '--owner=Jo',
        ]),
        ...some(0.2, '--force'),
      ),
    () => 'create monitoring',
  ];
  const init = [
    ...some(0.4, '--namespaced'),
    ...some(0.3, '--license=none', '--owner=Ada'),
    ...some(0.3, '--upgrade-workflow'),
  ];
  const first = [api(...kind()), api(...kind())];
  const rest = Array.from({ length: random.integer(2, 6) }, () => random.pick(commands)());
  return [flagged(start, ...init), ...first, ...rest];
}

const count = isThorough ? 150 : 1;

test(`the record repeats ${count} random histories`, { timeout: 60_000 * count }, async () => {
  const random = createRandom(Number(process.env['FC_SEED'] ?? 20_264));
  for (let round = 0; round < count; round++)
    await expectRepeatable(`round-${round}`, agents[round % agents.length] ?? '', randomHistory(random));
});
