import { Command } from 'commander';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOpSdkError } from '../../../../src/base/errors/index.ts';
import { globalFlags } from '../../../../src/cli/flags/common.ts';
import {
  commandRecord,
  isLeftOut,
  newProjectFile,
  recordCommand,
  recordedCommands,
  recordLeftOut,
  recordTemplates,
  type GivenFlags,
  type RecordedCommand,
} from '../../../../src/project/project/index.ts';

const init = commandRecord('init', { domain: 'example.com', owner: undefined }, 'npm');
const fresh = newProjectFile({
  ...{ domain: 'example.com', projectName: 'web', cliVersion: '0.1.0', run: init, templates: {} },
});
const api = commandRecord('create api', { group: 'cache', version: 'v1', kind: 'Redis', force: false });
const scope = (namespaced: boolean) => commandRecord('edit', { namespaced });

describe('the record of commands', () => {
  test('has the runs in their order, without flags that were not given', () => {
    const text = recordCommand(recordCommand(fresh, api), scope(true));
    expect(recordedCommands(text)).toEqual([
      { command: 'init', flags: { domain: 'example.com' }, packageManager: 'npm' },
      { command: 'create api', flags: { group: 'cache', version: 'v1', kind: 'Redis' } },
      { command: 'edit', flags: { namespaced: true } },
    ]);
  });

  test('does not grow by a repetition, with --force or without', () => {
    const text = recordCommand(fresh, api);
    expect(recordCommand(text, api)).toBe(text);
    expect(recordCommand(text, { ...api, flags: { ...api.flags, force: true } })).toBe(text);
  });

  const runsAfter = (...runs: readonly RecordedCommand[]) =>
    recordedCommands(runs.reduce(recordCommand, fresh))?.slice(1);

  test('has the last scope, and none if it is that of init', () => {
    const both = commandRecord('edit', { namespaced: true, owner: 'Ada' });
    expect(runsAfter(scope(true), api, scope(true))).toEqual([scope(true), api]);
    expect(runsAfter(scope(true), api, scope(false), scope(true))).toEqual([api, scope(true)]);
    expect(runsAfter(scope(true), api, scope(false))).toEqual([api]);
    expect(runsAfter(both, scope(false))).toEqual([commandRecord('edit', { owner: 'Ada' })]);
    expect(runsAfter(commandRecord('edit', { multigroup: false }))).toEqual([]);
    expect(runsAfter(commandRecord('edit', { multigroup: false, force: true }))).toEqual([]);
  });

  test('has both scopes if that of a namespaced init was left and restored', () => {
    const namespaced = newProjectFile({
      ...{ domain: 'example.com', projectName: 'web', cliVersion: '0.1.0', templates: {} },
      run: commandRecord('init', { domain: 'example.com', namespaced: true }, 'npm'),
    });
    const after = (...runs: readonly RecordedCommand[]) =>
      recordedCommands(runs.reduce(recordCommand, namespaced))?.slice(1);
    expect(after(scope(true))).toEqual([]);
    expect(after(scope(false), api, scope(true))).toEqual([scope(false), api, scope(true)]);
    expect(after(scope(false), scope(true), api, scope(false))).toEqual([api, scope(false)]);
    expect(after(scope(false), scope(true), scope(false), scope(true))).toEqual([scope(false), scope(true)]);
  });

  test('has a run twice if the kind was deleted or the project edited in between', () => {
    const names = { group: 'cache', kind: 'Redis' };
    const gone = commandRecord('delete api', names);
    const again = { ...api, flags: { ...api.flags, force: true } };
    const none = commandRecord('edit', { license: 'none' });
    const other = commandRecord('create api', { group: 'db', version: 'v1', kind: 'Redis' });
    const elsewhere = commandRecord('delete api', { ...names, version: 'v2' });
    expect(runsAfter(api, other, gone, again)).toEqual([api, other, gone, again]);
    expect(runsAfter(api, gone, api, api)).toEqual([api, gone, again]);
    expect(runsAfter(api, none, api, again)).toEqual([api, none, again]);
    const second = commandRecord('create api', { ...names, version: 'v2' });
    expect(runsAfter(api, second, elsewhere, again)).toEqual([api, second, elsewhere]);
    expect(runsAfter(api, gone, api, commandRecord('delete api', { ...names, sources: true }))).toEqual([]);
    // The names of its code include the group since the other kind is there.
    expect(runsAfter(api, other, again)).toEqual([api, other, again]);
  });

  test('has the version of a run that an upgrade left out, until it is run again', () => {
    const other = commandRecord('create api', { group: 'db', version: 'v1', kind: 'Redis' });
    const text = recordLeftOut([api, other].reduce(recordCommand, fresh), [1], '1.0.0');
    expect(recordedCommands(text)?.slice(1)).toEqual([{ ...api, cliVersion: '1.0.0' }, other]);
    expect([isLeftOut(text, api), isLeftOut(text, other)]).toEqual([true, false]);
    const force = { ...api, flags: { ...api.flags, force: true } };
    expect(recordedCommands(recordCommand(text, force))?.slice(1)).toEqual([other, force]);
    const gone = commandRecord('delete api', { group: 'cache', kind: 'Redis', sources: true });
    expect(recordedCommands(recordCommand(text, gone))?.slice(1)).toEqual([other]);
  });

  test('has a license as often as files were scaffolded between its changes', () => {
    const [none, apache2] = ['none', 'apache2'].map((license) => commandRecord('edit', { license }));
    const other = commandRecord('create api', { group: 'db', version: 'v1', kind: 'Redis' });
    if (none === undefined || apache2 === undefined) throw new Error('unreachable');
    expect(runsAfter(none, api, apache2, other, none)).toEqual([none, api, apache2, other, none]);
    expect(runsAfter(api, none, apache2, none)).toEqual([api, apache2, none]);
    expect(runsAfter(none, none)).toEqual([none]);
  });

  test('forgets a kind or a version that was deleted with its sources if nothing else was scaffolded meanwhile', () => {
    const names = { group: 'cache', kind: 'Redis' };
    const other = commandRecord('create api', { group: 'db', version: 'v1', kind: 'Redis' });
    const second = commandRecord('create api', { ...names, version: 'v2' });
    const webhook = commandRecord('create webhook', { ...names, version: 'v2', defaulting: true });
    const gone = (flags: GivenFlags) => commandRecord('delete api', { ...names, ...flags });
    const unlisted = gone({});
    const all = gone({ sources: true });
    expect(runsAfter(other, api, second, webhook, all)).toEqual([other]);
    expect(runsAfter(api, scope(true), all)).toEqual([scope(true)]);
    expect(runsAfter(api, other, all)).toEqual([api, other, all]);
    expect(runsAfter(api, other, all, api, all)).toEqual([api, other, all]);
    expect(runsAfter(other, all)).toEqual([other]);
    expect(runsAfter(api, second, webhook, gone({ version: 'v2', sources: true }))).toEqual([api]);
    const first = gone({ version: 'v1', sources: true });
    expect(runsAfter(api, second, first)).toEqual([api, second, first]);
    expect(runsAfter(api, second, first, all)).toEqual([]);
    expect(runsAfter(api, unlisted)).toEqual([api, unlisted]);
    expect(runsAfter(api, unlisted, all)).toEqual([]);
  });

  test('is undefined for projects of versions that did not record', () => {
    expect(recordedCommands('version: "3"\n')).toBeUndefined();
    expect(recordedCommands(recordCommand('version: "3"\n', api))).toBeUndefined();
  });

  test('reports every entry that is none, with its place', () => {
    const text = fresh.replace(
      '    commands:\n',
      '    commands:\n    - command: rm\n    - command: edit\n      flags:\n        "--x": a\n',
    );
    try {
      recordedCommands(text);
      expect.fail('nothing was thrown');
    } catch (error) {
      if (!isOpSdkError(error)) throw error;
      expect(error.findings.map(({ code, message }) => `${code} ${message}`)).toEqual([
        'project/invalid commands.0.command: expected init, create api, create webhook, create monitoring, edit, delete api, got "rm"',
        'project/invalid commands.1.flags.--x: expected a flag with a string or a boolean, got "a"',
      ]);
      expect(error.findings.map(({ where }) => (where as { line?: number }).line)).toEqual([
        expect.any(Number),
        expect.any(Number),
      ]);
    }
  });

  test.each([
    ['init', 'help', true, 'a flag that decides about files'],
    ['init', 'dry-run', true, 'a flag that decides about files'],
    ['edit', 'no-color', true, 'a flag that decides about files'],
    ['init', 'version', true, 'a flag that decides about files'],
    ['create api', 'version', 'v1', undefined],
    ['delete api', 'version', 'v1', undefined],
    ['init', 'owner', 'a\0b', 'a value without NUL'],
  ] as const)('of %s with %s is valid if a copy can repeat it', (command, name, value, expected) => {
    const flags = { [name]: value };
    const made = command === 'delete api' ? recordCommand(fresh, { command: 'create api', flags }) : fresh;
    const text = recordCommand(made, { command, flags });
    if (expected === undefined) expect(recordedCommands(text)?.at(-1)?.flags).toEqual({ [name]: value });
    else
      expect(() => recordedCommands(text)).toThrow(
        `commands.1.flags.${name}: expected ${expected}, got ${JSON.stringify(value)}`,
      );
  });

  test('has no flag that every command has', () => {
    for (const { long } of globalFlags(new Command()).options) {
      const flags = { [(long ?? '').slice(2)]: true };
      expect(() => recordedCommands(recordCommand(fresh, { command: 'edit', flags }))).toThrow(
        'a flag that decides about files',
      );
    }
  });

  test('gives back any values, and changes nothing else of the text', () => {
    const value = fc.oneof(
      fc.string().filter((text) => !text.includes('\0')),
      fc.boolean(),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^x[a-z]{1,7}$/), value), (flags) => {
        const mine = `# mine\n${fresh}x-team: storage # ours\n`;
        const run = commandRecord('create webhook', flags);
        const text = recordCommand(mine, run);
        expect(recordedCommands(text)?.at(-1)).toEqual({ ...run, packageManager: undefined });
        expect(text.startsWith('# mine\n')).toBe(true);
        expect(text.endsWith('x-team: storage # ours\n')).toBe(true);
        expect(recordedCommands(recordTemplates(text, { a: 'b' }))).toEqual(recordedCommands(text));
      }),
    );
  });
});
